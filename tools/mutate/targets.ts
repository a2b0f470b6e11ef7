/** A part of the product, and who should notice a change of it. */
interface TargetPaths {
  readonly name: string;
  /** Files, or folders with all that lies directly in them; a folder that ends in `/**` includes its folders. */
  readonly sources: readonly string[];
  /** The same for test files, the nearest first. */
  readonly tests: readonly string[];
}

const server = 'packages/server/src';
const catalog = `${server}/modules/catalog`;

/** What `npm run mutate` changes. */
export const targets: readonly TargetPaths[] = [
  {
    name: 'scopes',
    sources: [`${server}/platform/scopes.ts`],
    tests: ['packages/server/test/scopes.int.test.ts', `${server}/modules/assistant/action-tools.int.test.ts`],
  },
  {
    name: 'rights',
    sources: [`${server}/modules/identity/rights.ts`],
    tests: [`${catalog}/rights.int.test.ts`, `${catalog}/entity-rights.int.test.ts`, `${catalog}/policies`],
  },
];
