import { version } from '../connection.ts';

/** A finding of `migrate check` in a file or in the organization. */
export interface CheckFinding {
  /** Stable across runs, for baselines. */
  readonly id: string;
  readonly rule: string;
  readonly breaks: boolean;
  readonly message: string;
  /** A file, or a resource of the organization. */
  readonly place: string;
  readonly line?: number;
  readonly column?: number;
}

/** SARIF 2.1.0, the format of code hosts. */
export function toSarif(findings: readonly CheckFinding[]): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'portolan migrate check',
            version,
            rules: [...new Set(findings.map(({ rule }) => rule))].map((id) => ({ id })),
          },
        },
        results: findings.map(({ id, rule, breaks, message, place, line, column }) => ({
          ruleId: rule,
          level: breaks ? 'error' : 'note',
          message: { text: message },
          partialFingerprints: { 'portolan/v1': id },
          locations: [
            line === undefined
              ? { logicalLocations: [{ fullyQualifiedName: place }] }
              : {
                  physicalLocation: {
                    artifactLocation: { uri: place },
                    region: { startLine: line, startColumn: column ?? 1 },
                  },
                },
          ],
        })),
      },
    ],
  };
}
