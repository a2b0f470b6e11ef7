import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useRead } from '../../../api/query.ts';
import { pathSegments, readIssues } from '../../../kit/refusal.ts';
import { useMay } from '../../../parts/access/permit.ts';
import type { Definition } from '../document/definition.ts';
import { type Fault, graphFaults } from '../document/faults.ts';

/** What is wrong with the draft: of the graph at once, of its contents as soon as the server has looked. */
export function useFaults(draft: Definition, isOn: boolean): readonly Fault[] {
  const mayAsk = useMay('validateWorkflow').isAllowed;
  const [settled] = useDebouncedValue(draft, 400);
  // a workflow without a name yet is looked at nevertheless
  const body = { ...settled, identifier: settled.identifier || 'unsaved' };
  const asked = useRead('validateWorkflow', { body: body as never }, { isOn: isOn && mayAsk, keepsPrevious: true });
  const own = useMemo(() => graphFaults(draft), [draft]);
  const isKnown = settled === draft && !asked.isPlaceholderData;
  const said = useMemo(
    () => (asked.error ? readIssues(asked.error).map(toFault) : toFaults(asked.data)),
    [asked.data, asked.error],
  );
  // the server names the faults of the graph too; until it has seen this draft, ours stand alone
  return isKnown && said.length > 0 ? said : own;
}

function toFaults(answer: { issues: readonly Fault[]; warnings: readonly Fault[] } | undefined): readonly Fault[] {
  if (!answer) return [];
  return [...answer.issues.map(toFault), ...answer.warnings.map((each) => ({ ...toFault(each), isWarning: true }))];
}

/** Paths of the schema are written with dots, those of the rules as JSON pointers. */
function toFault({ path, message }: { readonly path: string; readonly message: string }): Fault {
  return { path: path === '' ? '' : `/${pathSegments(path).join('/')}`, message };
}

/** The refusal of a save, as faults. */
export function refusedFaults(error: unknown): readonly Fault[] {
  return readIssues(error).map(toFault);
}
