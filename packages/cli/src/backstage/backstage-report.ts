import { type Problem, placeText } from '@portolan/backstage';
import type { Output } from '../context.ts';
import { counted, printable, table } from '../output.ts';

/** The output of `import backstage --json`. */
export interface BackstageReport {
  /** Whether every document has its place; warnings and notes count as having it. */
  readonly ok: boolean;
  readonly blueprints: {
    readonly create: readonly string[];
    readonly update: readonly string[];
    readonly unchanged: readonly string[];
  };
  readonly entities: readonly {
    readonly item: string;
    readonly blueprint: string;
    readonly identifier: string;
    readonly change: 'created' | 'changed' | 'unchanged';
    readonly fields?: readonly string[];
  }[];
  /** Codes are those of the documents, and of the server for what it refuses. */
  readonly problems: readonly (Omit<Problem, 'code'> & { readonly code: string })[];
  /** Null if nothing was to be written. */
  readonly applied: { readonly created: number; readonly updated: number } | null;
}

/** Further ones are only counted; `--json` lists all. */
const shownMax = 50;

export function reportText(report: BackstageReport, from: string, output: Output): string {
  const { blueprints, applied } = report;
  const model = [
    ...named('to create', blueprints.create),
    ...named('to extend', blueprints.update),
    ...(blueprints.unchanged.length > 0 ? [`${blueprints.unchanged.length} as they are`] : []),
  ];
  return printable(
    [
      `Read ${counted(report.entities.length, 'document')} from ${from}.\n`,
      `Blueprints: ${model.join('; ') || 'none'}\n`,
      ...(report.entities.length > 0 ? [countsText(report)] : []),
      problemsText(report),
      applied
        ? `Wrote ${counted(applied.created + applied.updated, 'entity', 'entities')} (${applied.created} new).\n`
        : 'Nothing was written. Write it with --apply.\n',
    ].join(''),
    output,
  );
}

function named(verb: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${names.length} ${verb} (${names.join(', ')})`] : [];
}

function countsText({ entities }: BackstageReport): string {
  const names = [...new Set(entities.map(({ blueprint }) => blueprint))].sort();
  const rows = names.map((name) => {
    const own = entities.filter(({ blueprint }) => blueprint === name);
    const count = (change: string) => String(own.filter((one) => one.change === change).length);
    return [name, count('created'), count('changed'), count('unchanged')];
  });
  return table(['blueprint', 'create', 'change', 'same'], rows);
}

/** Errors first: they cost a document. */
function problemsText({ problems }: BackstageReport): string {
  const order = ['error', 'warning', 'note'];
  const sorted = problems.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const lines = sorted.slice(0, shownMax).map(({ severity, message, item, place }) => {
    const where = place ? placeText(place) : '';
    const subject = [where, item === null ? '' : `(${item})`].filter(Boolean).join(' ');
    return `${severity}: ${subject ? `${subject}: ` : ''}${message}\n`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more; --json lists all\n`] : [])].join('');
}
