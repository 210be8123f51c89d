import { describe, expect, it } from 'vitest'
import { lineCoverage } from './coverage.ts'

describe('the coverage of lines', () => {
  it.each([
    ['lcov', 'SF:a.ts\nDA:1,1\nLF:4\nLH:3\nend_of_record\nSF:b.ts\nLF:4\nLH:1\nend_of_record\n', 50],
    ['lcov of Windows', 'LF:2\r\nLH:1\r\n', 50],
    ['a summary of Istanbul', '{"total":{"lines":{"total":10,"covered":8,"pct":80}}}', 80],
    ['a summary of coverage.py', '{"totals":{"percent_covered":91.5}}', 91.5],
    ['a summary of SimpleCov', '{"result":{"line":77}}', 77],
  ])('is read from %s', (_, report, percent) => expect(lineCoverage(report)).toBe(percent))

  it.each([
    ['', 'nothing'],
    ['LF:0\nLH:0\n', 'no line at all'],
    ['{"total":{"lines":{"pct":"Unknown"}}}', 'an unknown'],
    ['{"total":', 'half a file'],
  ])('is not known from %j, which is %s', (report) => expect(lineCoverage(report)).toBeNull())
})
