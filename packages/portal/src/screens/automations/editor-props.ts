import type { Issue } from '../../kit/refusal.ts';
import type { Draft } from './automation-draft.ts';

/** What every section of the editor works on. */
export interface EditorProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** What the server refused, and what cannot be read. */
  readonly issues: readonly Issue[];
  /** Told of text in a field that is no JSON: nothing is saved until it is. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}
