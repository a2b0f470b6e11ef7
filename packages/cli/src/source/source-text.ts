import type { PlannedChange, Source, SourceCheck, SourceProblem, SourceSync } from '@portolan/contract/sources';
import { table } from '../output.ts';
import type { FoundProblems } from './list-problems.ts';

export function sourcesText(sources: readonly Source[]): string {
  if (sources.length === 0) return 'There is no source yet. "portolan source add" adds one.\n';
  const rows = sources.map(({ identifier, type, state, lastSync, entities, title }) => {
    const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
    return [identifier, type, state, lastSync ? `${lastSync.status} ${lastSync.startedAt}` : '-', String(count), title];
  });
  return table(['ID', 'TYPE', 'STATE', 'LAST SYNC', 'ENTITIES', 'TITLE'], rows);
}

export function checksText(checks: readonly SourceCheck[]): string {
  return checks
    .map(({ name, state, message, fix }) => `${state}: ${name}: ${message}\n${fix ? `  ${fix}\n` : ''}`)
    .join('');
}

const counted = ['created', 'changed', 'unchanged', 'refused', 'deleted', 'released', 'marked', 'contested'] as const;

/** How far a sync is, or how it ended. */
export function syncText({ id, mode, status, counts, note, problem }: SourceSync): string {
  const parts = counted.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : []));
  const result = [`${counts.read} read`, ...parts].join(', ');
  const about = problem ? `${problem.message}${problem.fix ? ` ${problem.fix}` : ''}` : note;
  return `${id} (${mode}) ${status}: ${result}\n${about ? `  ${about}\n` : ''}`;
}

export function changesText(changes: readonly PlannedChange[], isCut: boolean): string {
  if (changes.length === 0) return '';
  const rows = changes.map(({ change, blueprint, identifier, item }) => [change, `${blueprint}/${identifier}`, item]);
  return `${table(['CHANGE', 'ENTITY', 'FROM'], rows)}${isCut ? 'and more; the portal shows all\n' : ''}`;
}

export function problemsText({ problems, isCut }: FoundProblems, sync: SourceSync | null): string {
  if (!sync) return 'It was never read yet.\n';
  if (problems.length === 0) return `${sync.id} had no problems.\n`;
  return `${problems.map(problemText).join('')}${isCut ? 'and more; the portal shows all\n' : ''}`;
}

function problemText({ severity, message, item, place }: SourceProblem): string {
  const at = place?.file ? `${place.file}${place.line === undefined ? '' : `:${place.line}`}` : place?.url;
  const where = [item, at].flatMap((part) => part || []).join(' at ');
  return `${severity}: ${where ? `${where}: ` : ''}${message}\n`;
}
