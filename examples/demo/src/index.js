export { format, total } from './price.js'
