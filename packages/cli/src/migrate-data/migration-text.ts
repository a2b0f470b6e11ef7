import type { DataMigration, DataMigrationPreview } from '@portolan/contract/data-migrations';
import { oneLine, table } from '../output.ts';

const width = 120;

/** The progress of a migration in one line. */
export function stateText({ id, status, totalCount, successCount, failureCount, message }: DataMigration): string {
  const failed = failureCount > 0 ? `, ${failureCount} failed` : '';
  const said = message === undefined ? '' : ` (${oneLine(message, width)})`;
  return `${id}  ${status}  ${successCount + failureCount} of ${totalCount}${failed}${said}\n`;
}

export function problemText({ identifier, message }: DataMigrationPreview['errors'][number]): string {
  return `  ${identifier}: ${oneLine(message, width)}\n`;
}

/** The counts of a preview, and the changes of its sample entities. */
export function previewText(preview: DataMigrationPreview): string {
  const { examinedCount, totalCount, isWhole, diffs, errors } = preview;
  const counts = table(
    [],
    [
      ['looked at', `${examinedCount} of ${totalCount}${isWhole ? '' : ' (the rest may differ)'}`],
      ['filtered out', String(preview.filteredCount)],
      ['would be made', String(preview.createCount)],
      ['would change', String(preview.updateCount)],
      ['unchanged', String(preview.unchangedCount)],
      ['would fail', String(preview.failureCount)],
    ],
  );
  const changes = diffs.map((diff) => `\n${diff.change} ${diff.identifier}\n${changeText(diff)}`).join('');
  const problems = errors.length === 0 ? '' : `\nFailures:\n${errors.map(problemText).join('')}`;
  return `${counts}${changes}${problems}`;
}

function changeText({ before, after }: DataMigrationPreview['diffs'][number]): string {
  const was = before ? listParts(before) : new Map<string, string>();
  return [...listParts(after)]
    .filter(([key, value]) => (was.get(key) ?? 'null') !== value)
    .map(([key, value]) => `  ${key}: ${oneLine(was.get(key) ?? 'null', width / 2)} → ${oneLine(value, width / 2)}\n`)
    .join('');
}

type PreviewedEntity = DataMigrationPreview['diffs'][number]['after'];

function listParts({ title, icon, team, properties, relations }: PreviewedEntity): Map<string, string> {
  const named = (prefix: string, values: object) =>
    Object.entries(values).map(([key, value]): [string, unknown] => [`${prefix}.${key}`, value]);
  const parts: [string, unknown][] = [
    ['title', title],
    ['icon', icon],
    ['team', team],
    ...named('properties', properties),
    ...named('relations', relations),
  ];
  return new Map(parts.map(([key, value]) => [key, JSON.stringify(value)]));
}
