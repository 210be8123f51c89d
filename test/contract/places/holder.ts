// Holds ports and something that is up, says which, and is killed.
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'

const [home = '', down = 'dropdb'] = process.argv.slice(2)
const holdings = fileHoldings(home)
const place = '/p/theirs'
await holdings.hold(place, 2)
const environment = holdings.environmentOf(place)
holdings.recordInstance({ place, name: 'db', down, environment, timeoutMs: 1_000, mark: 'test:db' })
process.stdout.write(JSON.stringify(environment))
setInterval(() => {}, 1_000)
