import type { Issue } from '../../kit/refusal.ts';
import type { Draft } from './action-draft.ts';

/** What every tab of the editor works on. */
export interface EditorProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** What the server refused, and what cannot be read. */
  readonly issues: readonly Issue[];
  /** Told of text in a field that cannot be read: nothing is saved until it can. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}
