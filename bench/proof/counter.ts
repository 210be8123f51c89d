import { type AddressInfo, createServer } from 'node:net'

export interface Counter {
  port: number
  /** What was said to it so far, one word each time. */
  words: string[]
  close: () => void
}

/** Listens: what is confined can write to no file that we could read, but it reaches this machine. */
export async function openCounter(): Promise<Counter> {
  const words: string[] = []
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => words.push(text.trim()))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, words, close: () => void server.close() }
}
