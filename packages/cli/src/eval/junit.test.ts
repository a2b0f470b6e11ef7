import { expect, test } from 'vitest';
import { readXml } from '../../test/read-xml.ts';
import type { UnjudgedReport } from './eval-report.ts';
import { toJunit } from './junit.ts';

const told = { invocation: 'inv-1', durationMs: 1_500, costUsd: 0 };
const failing = { grader: 'contains', passed: false, reason: 'it does not say "<b> & c"' };
const hostile = ']]> </failure> & "quoted" \u0000 \u001b[31m \ud800 \uffff 🙂\nnext line';

const report = {
  startedAt: '2026-03-02T09:00:00.000Z',
  variants: [
    {
      name: 'a/b & "c"',
      counts: { right: 1, refused: 0, wrong: 1, failed: 1, undecided: 0 },
      cases: [
        { case: 'good', outcome: 'right', trials: [{ ...told, outcome: 'right', answer: 'yes', grades: [] }] },
        { case: 'bad', outcome: 'wrong', trials: [{ ...told, outcome: 'wrong', answer: hostile, grades: [failing] }] },
        {
          case: 'broken',
          outcome: 'failed',
          trials: [{ ...told, outcome: 'failed', answer: '', error: 'llm_provider_timeout', grades: [] }],
        },
      ],
    },
  ],
} as unknown as UnjudgedReport;

test('a report is well-formed XML, whatever was answered', () => {
  const tags = readXml(toJunit(report));
  expect(tags.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['testsuites', { name: 'portolan eval' }],
    [
      'testsuite',
      {
        name: 'a/b & "c"',
        tests: '3',
        failures: '1',
        errors: '1',
        timestamp: '2026-03-02T09:00:00.000Z',
        time: '4.500',
      },
    ],
    ['testcase', { name: 'good', classname: 'a/b & "c"', time: '1.500' }],
    ['testcase', { name: 'bad', classname: 'a/b & "c"', time: '1.500' }],
    ['failure', { type: 'wrong', message: 'contains: it does not say "<b> & c" [inv-1]' }],
    ['testcase', { name: 'broken', classname: 'a/b & "c"', time: '1.500' }],
    ['error', { type: 'failed', message: 'llm_provider_timeout [inv-1]' }],
  ]);
  expect(tags[4]?.text).toBe(']]> </failure> & "quoted" \ufffd \ufffd[31m \ufffd \ufffd 🙂\nnext line');
});
