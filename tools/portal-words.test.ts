import { expect, test } from 'vitest';
import { filesUnder } from './lib/source-files.ts';

/** Words that read as if translated, and what to write instead (CONTRIBUTING.md: text that people read is plain). */
const forbidden: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bIt [a-z]/, 'a sentence that names its subject'],
  [/\banew\b/, '"again"'],
  [/\basked for\b/, '"requested"'],
  [/\bby itself\b/, '"automatically"'],
  [/\b[Ww]hoever\b/, '"anyone who", or the role'],
  [/\b[Nn]othing fits\b/, '"No … match"'],
  [/\b[Ww]hat it [a-z]/, 'a noun: "Result", "Inputs"'],
];

/** Screens whose texts are still to be rewritten: take a file out of the list with its last such text. */
const unwritten: ReadonlySet<string> = new Set([
  'parts/entities/filter-value.tsx',
  'parts/entity-form/entity-form.tsx',
  'parts/entity-form/pickers.tsx',
  'screens/catalog/gone.tsx',
  'screens/integrations/add-source.screen.tsx',
  'screens/integrations/delete-guard.tsx',
  'screens/integrations/deliveries.tsx',
  'screens/integrations/install-progress.tsx',
  'screens/integrations/integration-log.tsx',
  'screens/integrations/integration-mapping.tsx',
  'screens/integrations/integration-overview.tsx',
  'screens/integrations/integration.screen.tsx',
  'screens/integrations/own-sources/own-source-actions.tsx',
  'screens/integrations/own-sources/own-source-fields.tsx',
  'screens/integrations/own-sources/own-source-form.tsx',
  'screens/integrations/own-sources/own-source-mapping.tsx',
  'screens/integrations/own-sources/own-source-overview.tsx',
  'screens/integrations/own-sources/own-source-settings.tsx',
  'screens/integrations/own-sources/own-source-syncs.tsx',
  'screens/integrations/source-type.screen.tsx',
  'screens/integrations/syncs.tsx',
  'screens/integrations/webhook-form.tsx',
  'screens/integrations/webhook-mappings.tsx',
  'screens/users-and-teams-migration/acceptances.tsx',
  'screens/users-and-teams-migration/applications.tsx',
  'screens/users-and-teams-migration/apply-step.tsx',
  'screens/users-and-teams-migration/choices.tsx',
  'screens/users-and-teams-migration/migration.screen.tsx',
  'screens/users-and-teams-migration/rehearse-step.tsx',
  'screens/users-and-teams-migration/stage.ts',
  'screens/users-and-teams-migration/undo-step.tsx',
]);

const root = 'packages/portal/src/';
const texts = filesUnder([root], /\.tsx?$/)
  .filter(({ path }) => !/\.test\.tsx?$/.test(path))
  .map(({ path, text }) => ({ path: path.slice(root.length), lines: withoutComments(text).split('\n') }));

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/.*/g, '$1');
}

function problemsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    forbidden.flatMap(([pattern, instead]) =>
      pattern.test(line) ? [`line ${index + 1} says "${pattern.exec(line)?.[0]}"; write ${instead}`] : [],
    ),
  );
}

test('the portal speaks plainly', () => {
  const problems = texts
    .filter(({ path }) => !unwritten.has(path))
    .flatMap(({ path, lines }) => problemsIn(lines).map((problem) => `${path} ${problem}`));
  expect(texts.length).toBeGreaterThan(300);
  expect(problems).toEqual([]);
});

test('files that speak plainly are not among those still to be rewritten', () => {
  const done = [...unwritten].filter((name) => {
    const found = texts.find(({ path }) => path === name);
    return !found || problemsIn(found.lines).length === 0;
  });
  expect(done).toEqual([]);
});

test.each(['It was not saved', 'Nothing fits', 'what it does', 'read anew', 'whoever asks'])(
  '"%s" is found',
  (text) => {
    expect(problemsIn([`<Text>${text}</Text>`])).toHaveLength(1);
  },
);
