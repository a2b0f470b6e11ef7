/** What grading needs and differs between programs: who runs patterns, and who checks JSON schemas. */
export interface GraderKit {
  /** @throws if the pattern is none, or cannot be run within bounds here */
  compilePattern(pattern: string, flags?: string): { test(text: string): boolean };
  /** Absent where JSON schemas cannot be checked, as in a browser that compiles no code. */
  readonly schemas?: {
    /** Why the JSON of an answer is not as the schema says; undefined if it is. */
    explain(answer: string, schema: object): string | undefined;
    /** Why a schema cannot be used; undefined if it can. */
    explainBad(schema: object): string | undefined;
  };
}

/** A pattern of tool names, which is matched from the start of a name as everywhere. */
export function compileToolPattern(kit: GraderKit, pattern: string) {
  return kit.compilePattern(`^(?:${pattern})`);
}
