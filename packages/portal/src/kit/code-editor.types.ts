export interface CodeEditorProps {
  readonly value: string;
  readonly language: 'json' | 'yaml' | 'jq' | 'markdown' | 'text';
  /** Accessible name. */
  readonly label: string;
  /** Absent if read-only. */
  readonly onChange?: (value: string) => void;
  readonly problems?: readonly CodeProblem[];
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

/** A problem in a range of the text, marked in the editor. Callers also state it in words beside the editor. */
export interface CodeProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}
