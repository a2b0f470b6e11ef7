import type { Issue } from '../../kit/refusal.ts';
import type { Start } from './backends.ts';
import type { Backend } from './stored-action.ts';

export interface BackendFieldsProps {
  readonly backend: Backend;
  readonly start: Start;
  readonly onChange: (backend: Backend) => void;
  /** What the server refused, and what cannot be read, by the paths of the whole definition. */
  readonly issues: readonly Issue[];
  /** Told of text in a field that is no JSON: nothing is saved until it is. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}
