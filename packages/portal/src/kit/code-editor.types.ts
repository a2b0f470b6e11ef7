export interface CodeEditorProps {
  readonly value: string;
  readonly language: 'json' | 'yaml' | 'jq' | 'markdown' | 'text';
  /** What it edits, for assistive technology. */
  readonly label: string;
  /** Absent where it only shows. */
  readonly onChange?: (value: string) => void;
  readonly problems?: readonly CodeProblem[];
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

/** What is wrong with a piece of the text; marked there, and to be said in words beside the editor too. */
export interface CodeProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}
