export const format = (amount) => `${amount.toFixed(2)} EUR`

export const total = (cart) => cart.reduce((sum, item) => sum + item.price * (item.count ?? 1), 0)
