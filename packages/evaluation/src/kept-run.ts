import { isRecord } from '@portolan/contract/json-value';
import { tellingTrial, type VariantReport } from './report-variants.ts';
import type { Outcome } from './try-case.ts';

/** A page of the portal lists these; a long one is cut. */
const casesListedMax = 500;
const whyCharactersMax = 600;

const order: Readonly<Record<Outcome, number>> = { wrong: 0, failed: 1, refused: 2, undecided: 3, right: 4 };

interface RunOfVariants {
  readonly run: string;
  readonly startedAt: string;
  readonly variants: readonly VariantReport[];
}

/** The entities of a run, one for each variant. */
export function toRunEntities({ run, startedAt, variants }: RunOfVariants) {
  return variants.map((variant, index) => ({
    identifier: `${run}-${index + 1}`,
    title: `${variant.name}, ${startedAt.slice(0, 16).replace('T', ' ')}`,
    properties: toProperties(run, startedAt, variant),
  }));
}

type RunEntity = ReturnType<typeof toRunEntities>[number];

/**
 * Keeps a run, an entity for each variant. A blueprint that an older release made lacks what came later: what it refuses is
 * written without that.
 */
export async function keepRun(
  run: RunOfVariants,
  create: (entity: RunEntity) => Promise<unknown>,
  isRefused: (error: unknown) => boolean,
): Promise<void> {
  for (const entity of toRunEntities(run)) {
    try {
      await create(entity);
    } catch (error) {
      const { undecided, ...properties } = entity.properties;
      if (undecided === undefined || !isRefused(error)) throw error;
      await create({ ...entity, properties });
    }
  }
}

function toProperties(run: string, startedAt: string, variant: VariantReport) {
  const { name, counts, share, interval, p50Ms, p95Ms, costUsd, cases } = variant;
  const { undecided, ...others } = counts;
  return {
    started_at: startedAt,
    run,
    variant: name,
    share,
    ...interval,
    cases: cases.length,
    ...others,
    // blueprints of before there were judges do not have it, and most runs have none
    ...(undecided > 0 ? { undecided } : {}),
    p50_ms: p50Ms,
    p95_ms: p95Ms,
    ...(costUsd === null ? {} : { cost_usd: costUsd }),
    results: writeResults(variant),
  };
}

/** A table of the cases, those that are not right first, each with links to its invocations, the telling one first. */
function writeResults({ cases }: VariantReport): string {
  const sorted = [...cases].sort((a, b) => order[a.outcome] - order[b.outcome]);
  const rows = sorted.slice(0, casesListedMax).map((each) => {
    const told = tellingTrial(each);
    const trials = [...(told ? [told] : []), ...each.trials.filter((trial) => trial !== told)];
    const missed = each.outcome === 'right' ? [] : (told?.grades ?? []).filter(({ passed }) => !passed);
    const why = told?.error ?? missed.map(({ grader, reason }) => `${grader}: ${reason}`).join('; ');
    const differs = each.outcome !== 'right' && why === '' ? 'its trials differ' : why;
    const links = trials.map(({ invocation }, index) => writeLink(invocation, index)).join(' ');
    return `| ${escapeCell(each.case)} | ${each.outcome} | ${escapeCell(differs)} | ${links} |`;
  });
  const left = cases.length - rows.length;
  const more = left > 0 ? [`\n${left} more cases are in the file of --json.`] : [];
  return ['| Case | Outcome | Why | |', '| --- | --- | --- | --- |', ...rows, ...more].join('\n');
}

function writeLink(invocation: string, index: number): string {
  return `[${index === 0 ? 'transcript' : index + 1}](/ai/invocations/${encodeURIComponent(invocation)})`;
}

function escapeCell(text: string): string {
  return text
    .slice(0, whyCharactersMax)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>|]/g, (sign) => `\\${sign}`);
}

/** One case of a kept run. */
export interface KeptCase {
  readonly case: string;
  readonly outcome: Outcome;
  /** Which graders missed, and why; empty if it is right. */
  readonly why: string;
  /** Of its trials, the telling one first. */
  readonly invocations: readonly string[];
}

/** A run as it was kept: one variant. What is not there, or was written by somebody else, is 0 or empty. */
export interface KeptRun {
  readonly identifier: string;
  readonly run: string;
  readonly startedAt: string;
  readonly variant: string;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly costUsd: number | null;
  readonly cases: readonly KeptCase[];
}

/** Reads the entity of a run, which people may have changed. */
export function readKeptRun(entity: { readonly identifier?: unknown; readonly properties?: unknown }): KeptRun {
  const properties = isRecord(entity.properties) ? entity.properties : {};
  const number = (key: string): number => (typeof properties[key] === 'number' ? properties[key] : 0);
  const text = (key: string): string => (typeof properties[key] === 'string' ? properties[key] : '');
  return {
    identifier: String(entity.identifier ?? ''),
    run: text('run'),
    startedAt: text('started_at'),
    variant: text('variant'),
    share: number('share'),
    low: number('low'),
    high: number('high'),
    count: number('cases'),
    counts: {
      right: number('right'),
      refused: number('refused'),
      wrong: number('wrong'),
      failed: number('failed'),
      undecided: number('undecided'),
    },
    p50Ms: number('p50_ms'),
    p95Ms: number('p95_ms'),
    costUsd: typeof properties['cost_usd'] === 'number' ? properties['cost_usd'] : null,
    cases: readResults(text('results')),
  };
}

function readResults(markdown: string): KeptCase[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = splitRow(line);
    const [name, outcome, why, links] = cells;
    if (cells.length !== 4 || name === undefined || !Object.hasOwn(order, outcome ?? '')) return [];
    const invocations = [...(links ?? '').matchAll(/\(\/ai\/invocations\/([^)\s]+)\)/g)].map(([, id = '']) =>
      decode(id),
    );
    return [{ case: name, outcome: outcome as Outcome, why: why ?? '', invocations }];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The cells of a row, without the backslashes that keep signs from being Markdown. */
function splitRow(line: string): string[] {
  if (!line.startsWith('| ') || !line.endsWith(' |')) return [];
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(/\\([\\`*_[\]<>|])/g, '$1'));
}
