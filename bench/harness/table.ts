/** What design has promised for a figure: at most or at least so much, of the figure itself or of its ratio. */
export interface Budget {
  readonly of: 'value' | 'ratio';
  readonly most?: number;
  readonly least?: number;
}

/** One line of the report. */
export interface Finding {
  readonly path: string;
  readonly contender: string;
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Ours against the named reference in the same run; above 1 is better than the reference. */
  readonly ratio?: number;
  readonly budget?: Budget;
  /** What else a reader should know: percentiles, spread between rounds. */
  readonly note?: string;
}

/** Undefined where nothing was promised. */
export function verdict({ value, ratio, budget }: Finding): 'pass' | 'short' | undefined {
  if (!budget) return undefined;
  const judged = budget.of === 'ratio' ? (ratio ?? Number.NaN) : value;
  const isWithin = judged <= (budget.most ?? Number.POSITIVE_INFINITY) && judged >= (budget.least ?? -Infinity);
  return isWithin ? 'pass' : 'short';
}

/** The findings as a Markdown table with aligned columns. */
export function renderTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.path,
    finding.contender,
    finding.figure,
    `${rounded(finding.value)} ${finding.unit}`.trim(),
    finding.ratio === undefined ? '' : finding.ratio.toFixed(2),
    renderBudget(finding),
    verdict(finding) ?? '',
    finding.note ?? '',
  ]);
  const all = [['path', 'contender', 'figure', 'value', 'ratio', 'budget', 'verdict', 'note'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0]!), rule, ...rows.map(line)].join('\n');
}

/** Three significant digits; whole numbers from 100. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2);
}

function renderBudget({ budget, unit }: Finding): string {
  if (!budget) return '';
  const limit = budget.most === undefined ? `≥ ${budget.least}` : `≤ ${budget.most}`;
  return budget.of === 'ratio' ? `ratio ${limit}` : `${limit} ${unit}`;
}
