import type { EvalReport } from '@portolan/contract/evaluation';
import { isDrop, tellingTrial } from '@portolan/evaluation';
import { counted, oneLine, table } from '../output.ts';
import type { UnjudgedReport } from './eval-report.ts';

type ReportedVariant = EvalReport['variants'][number];
type ReportedCase = ReportedVariant['cases'][number];

const head = ['ASKED', 'RIGHT', '95 %', 'REFUSED', 'WRONG', 'FAILED'];
const measures = ['P50', 'P95', 'COST'];

/** The table of variants, then every case that is not right, then what changed since the baseline. */
export function reportText({ variants, trials }: UnjudgedReport): string {
  const notes = variants.flatMap((variant) => [...unsteadyLines(variant, trials), ...changeLines(variant)]);
  const rows = variants.flatMap((variant) =>
    variant.cases
      .filter(({ outcome }) => outcome !== 'right')
      .map((each) => [
        each.outcome,
        each.case,
        ...(variants.length > 1 ? [variant.name] : []),
        oneLine(explainCase(each), 120),
      ]),
  );
  const missed = rows.length > 0 ? `\n${table([], rows)}` : '';
  const hasJudges = variants.some(({ judgeCostUsd }) => judgeCostUsd !== undefined);
  const heads = [...head, ...(hasJudges ? ['CANNOT TELL'] : []), ...measures, ...(hasJudges ? ['JUDGES'] : [])];
  const lines = variants.map((variant) => toRow(variant, hasJudges));
  return `${table(heads, lines)}${missed}${notes.length > 0 ? `\n${notes.join('')}` : ''}`;
}

function toRow(variant: ReportedVariant, hasJudges: boolean): string[] {
  const { name, models, counts, cases, share, interval, p50Ms, p95Ms, costUsd, judgeCostUsd = 0 } = variant;
  const answering = models.join(', ');
  return [
    name.startsWith(answering) ? name : `${name} (${answering})`,
    `${counts.right} of ${cases.length} (${percent(share)})`,
    `${percent(interval.low)} to ${percent(interval.high)}`,
    String(counts.refused),
    String(counts.wrong),
    String(counts.failed),
    ...(hasJudges ? [String(counts.undecided)] : []),
    seconds(p50Ms),
    seconds(p95Ms),
    dollars(costUsd),
    ...(hasJudges ? [dollars(judgeCostUsd)] : []),
  ];
}

function dollars(cost: number | null): string {
  return cost === null ? '?' : `$${cost.toFixed(2)}`;
}

function percent(share: number): string {
  // 99.6 % is not all
  const shown = share === 1 ? 100 : Math.min(99, Math.round(share * 100));
  return `${shown} %`;
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Why a case is not right: the first grader that did not pass in the first trial of its outcome, and the invocation. */
export function explainCase(each: ReportedCase): string {
  const trial = tellingTrial(each);
  const grade = trial?.grades.find(({ passed }) => !passed);
  const why = trial?.error ?? (grade ? `${grade.grader}: ${grade.reason}` : 'its trials differ');
  return `${why} [${trial?.invocation}]`;
}

function unsteadyLines({ name, unsteady }: ReportedVariant, trials: number): string[] {
  return unsteady === 0 ? [] : [`${name}: the ${trials} trials of ${counted(unsteady, 'case')} differ\n`];
}

function changeLines({ name, change }: ReportedVariant): string[] {
  if (!change) return [];
  const { pairs, worse, better, p } = change;
  const word = isDrop(change) ? 'a significant drop' : 'no significant drop';
  const moved = `${worse.length} worse and ${better.length} better of ${counted(pairs, 'case')} of the baseline`;
  const names = worse.length > 0 ? `; worse: ${worse.join(', ')}` : '';
  return [`${name}: ${moved}, p = ${p.toPrecision(2)}, ${word}${names}\n`];
}
