import type { EvalReport } from '@portolan/contract/evaluation';
import type { UnjudgedReport } from './eval-report.ts';
import { explainCase } from './eval-text.ts';

type ReportedVariant = EvalReport['variants'][number];
type ReportedCase = ReportedVariant['cases'][number];

/** The report as JUnit XML, which pipelines show: a suite for each variant, a test for each case. */
export function toJunit({ variants, startedAt }: UnjudgedReport): string {
  const suites = variants.map((variant) => toSuite(variant, startedAt)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="portolan eval">\n${suites}</testsuites>\n`;
}

function toSuite({ name, counts, cases }: ReportedVariant, startedAt: string): string {
  const attributes = {
    name,
    tests: cases.length,
    failures: counts.refused + counts.wrong + counts.undecided,
    errors: counts.failed,
    timestamp: startedAt,
    time: toSeconds(cases.flatMap(({ trials }) => trials)),
  };
  return `  <testsuite${write(attributes)}>\n${cases.map((each) => toTest(each, name)).join('')}  </testsuite>\n`;
}

function toTest(each: ReportedCase, variant: string): string {
  const start = `    <testcase${write({ name: each.case, classname: variant, time: toSeconds(each.trials) })}`;
  if (each.outcome === 'right') return `${start}/>\n`;
  const tag = each.outcome === 'failed' ? 'error' : 'failure';
  const answer = each.trials.find(({ outcome }) => outcome === each.outcome)?.answer ?? '';
  const problem = `<${tag}${write({ type: each.outcome, message: explainCase(each) })}>${escapeXml(answer)}</${tag}>`;
  return `${start}>\n      ${problem}\n    </testcase>\n`;
}

function toSeconds(trials: ReportedCase['trials']): string {
  return (trials.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000).toFixed(3);
}

function write(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll(/[\t\n\r]/g, ' ')}"`)
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 does not know, lone surrogates included, cannot even be escaped. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
