import { AsyncLocalStorage } from 'node:async_hooks'

const heard = new AsyncLocalStorage<(text: string) => void>()

/** Whatever is told while this runs, however deep, is told to the listener: so many may run at once. */
export const listening = <T>(listener: (text: string) => void, act: () => Promise<T>): Promise<T> =>
  heard.run(listener, act)

/** Said to whoever listens; nobody need. */
export const tell = (text: string): void => heard.getStore()?.(text)
