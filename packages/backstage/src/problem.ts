/** Where the author of a document finds what a problem speaks of. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A pointer into the document: `/spec/owner`. */
  readonly path?: string;
}

/** An `error` costs its document; with a `warning` something is missing in the catalog; a `note` changes nothing. */
export interface Problem {
  readonly severity: 'error' | 'warning' | 'note';
  readonly code:
    | 'alias_limit'
    | 'defined_twice'
    | 'file_missing'
    | 'file_too_large'
    | 'invalid_document'
    | 'invalid_reference'
    | 'invalid_yaml'
    | 'not_filled_in'
    | 'target_elsewhere'
    | 'target_missing'
    | 'too_deep'
    | 'too_many';
  readonly message: string;
  /** The full reference of the document. */
  readonly item: string | null;
  readonly place: Place | null;
}

/** `catalog-info.yaml:3:7`, or as much of it as is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
