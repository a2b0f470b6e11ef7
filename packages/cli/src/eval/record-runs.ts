import { ApiError, type Client } from '@portolan/contract/client';
import { createEntity } from '@portolan/contract/entities';
import { type EvalReport, evalBlueprints } from '@portolan/contract/evaluation';
import { explainCase } from './eval-text.ts';

type ReportedVariant = EvalReport['variants'][number];

/** A page of the portal lists these; a long one is cut. */
const casesListedMax = 500;

/**
 * Keeps a run as entities, one for each variant; nothing is kept where the blueprint of runs is not there.
 * @returns why it could not be kept, if so: a run is no worse for that
 */
export async function recordRun(client: Client, report: EvalReport): Promise<string | undefined> {
  try {
    for (const [index, variant] of report.variants.entries()) {
      await client.call(createEntity, {
        params: { blueprint_identifier: evalBlueprints.runs },
        body: {
          identifier: `${report.run}-${index + 1}`,
          title: `${variant.name}, ${report.startedAt.slice(0, 16).replace('T', ' ')}`,
          properties: toProperties(report, variant),
        },
      });
    }
    return undefined;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? undefined : (error as Error).message;
  }
}

function toProperties({ run, startedAt }: EvalReport, variant: ReportedVariant) {
  const { name, counts, share, interval, p50Ms, p95Ms, costUsd, cases } = variant;
  return {
    started_at: startedAt,
    run,
    variant: name,
    share,
    ...interval,
    cases: cases.length,
    ...counts,
    p50_ms: p50Ms,
    p95_ms: p95Ms,
    ...(costUsd === null ? {} : { cost_usd: costUsd }),
    results: writeResults(variant),
  };
}

/** A table of the cases, those that are not right first, each with a link to its invocation. */
function writeResults({ cases }: ReportedVariant): string {
  const order = { wrong: 0, failed: 1, refused: 2, right: 3 } as const;
  const sorted = [...cases].sort((a, b) => order[a.outcome] - order[b.outcome]);
  const rows = sorted.slice(0, casesListedMax).map((each) => {
    const [trial] = each.trials;
    const why = each.outcome === 'right' ? '' : explainCase(each).replace(/ \[[^[\]]*\]$/, '');
    const link = `[transcript](/ai/invocations/${trial?.invocation})`;
    return `| ${escapeCell(each.case)} | ${each.outcome} | ${escapeCell(why)} | ${link} |`;
  });
  const left = cases.length - rows.length;
  const more = left > 0 ? [`\n${left} more cases are in the file of --json.`] : [];
  return ['| Case | Outcome | Why | |', '| --- | --- | --- | --- |', ...rows, ...more].join('\n');
}

function escapeCell(text: string): string {
  return text
    .slice(0, 200)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>|]/g, (sign) => `\\${sign}`);
}
