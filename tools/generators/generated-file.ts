/** A file of the repository that is made from the sources and committed, so that a change of it is seen in review. */
export interface GeneratedFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}
