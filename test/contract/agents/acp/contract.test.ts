import { agentContract } from '../../agent.ts'
import { byHand, called, openDriver } from './stage.ts'

const usage = { inputTokens: 10, outputTokens: 20, cachedReadTokens: 5, totalTokens: 30 }
const cost = { sessionUpdate: 'usage_update', used: 30, size: 1000, cost: { amount: 0.25, currency: 'USD' } }
const question = { question: { text: 'Which port?', options: ['80', '8080'] } }
const resetsAt = Date.parse('2030-01-02T03:04:05Z') / 1000
const grandchild = `setsid sh -c 'echo $$ > child.tmp; mv child.tmp child.pid; exec sleep 300' & wait`

agentContract('acp', openDriver, {
  edit: byHand({ turn: [{ write: { path: 'src/hello.txt', text: 'hello\n' } }, { say: 'written' }] }),
  crash: byHand({ turn: [{ kill: true }] }),
  exitCode7: byHand({ turn: [{ complain: 'oops' }, { exit: 7 }] }),
  hang: byHand({ turn: [{ hang: true }] }),
  grandchild: byHand({ stubborn: true, turn: [{ run: grandchild }] }),
  usage: called('copilot', { turn: [{ update: cost }], answer: { stopReason: 'end_turn', usage } }),
  ask: byHand({ turn: [{ write: { path: 'RESULT', text: JSON.stringify(question) } }] }),
  limit: byHand({ answer: { error: { code: -32603, message: 'no', data: { errorKind: 'rate_limit', resetsAt } } } }),
  result: byHand({ turn: [{ write: { path: 'RESULT', text: '{"plan": "small"}' } }] }),
})
