import { type Figure, interleaved, ms, timed } from './figure.ts'
import { deliver, inYard } from './yard.ts'

const agent = ['sh', '-c', 'echo "$ROPEWALK_STORY" > "$ROPEWALK_STORY.txt"']

/** Does a story cost more in a large plan? Median of 3: one run of 400 stories takes long enough. */
export async function benchScale(): Promise<Figure[]> {
  const side = (stories: number) => () =>
    inYard({ stories, chained: false, agents: 4, agent }, (folder) => timed(() => deliver(folder)))
  const found = await interleaved({ small: side(50), large: side(400) }, 3)
  const [small, large] = [found.small! / 50, found.large! / 400]
  return [
    {
      name: 'cost per story: 400 independent stories against 50 (median of 3)',
      ours: ms(large),
      bare: ms(small),
      ratio: `${(large / small).toFixed(2)} ×`,
      promised: 'at most 1.5 ×',
      kept: large / small <= 1.5,
    },
  ]
}
