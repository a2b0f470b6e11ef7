import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Cases covered by other files: file and test title by number. */
const elsewhere: Readonly<Record<number, readonly [file: string, title: string]>> = {
  1: ['plan', 'two teams of one title block where the title is named, and a choice decides'],
  10: ['users-and-teams', 'implied: who is inherited from owns directly, also without teams yet'],
  12: ['users-and-teams', 'R2: teamInheritance becomes inherited ownership along the same path, broken or not'],
  17: ['plan', 'names what is no team, and warns of what a new definition could not be'],
  18: ['users-and-teams', 'R3: the relation that decided goes, and the teams it led to are owners'],
  21: [
    '../../blueprints/old-inheritance',
    'PUT of a writer that knows teamInheritance alone leaves the ownership, and is told',
  ],
  24: ['users-and-teams', 'has the flag, the blueprints, an entity for each user and team, and their pages'],
  26: ['users-and-teams', 'nobody reacts, nothing was updated, and everything is in the audit log'],
  29: ['users-and-teams', 'rules name teams by identifiers, and /v1/teams stays keyed by name'],
  30: ['users-and-teams', 'a second trigger tells that it is complete'],
  31: ['users-and-teams', 'takes a bare token, and a second call joins'],
  32: ['users-and-teams', 'is refused where the model is the new one from the start, and is for administrators'],
  33: ['interrupted', 'ends the same, wherever the process dies, and never shows a mix'],
  34: ['interrupted', 'entity writes go on, and every one that was acknowledged is kept'],
  35: ['interrupted', 'teams cannot be written once they are %s; everything else can'],
  36: ['undo', 'brings everything back byte for byte, and it can be migrated again to the same'],
  37: ['plan', 'has a stable hash, writes nothing, and is what the run does'],
  38: ['../../../../../../bench/scenarios/users-and-teams', 'users-and-teams'],
  39: ['users-and-teams', 'nobody reacts, nothing was updated, and everything is in the audit log'],
  42: ['../../../../../team-references/test/goldens.ts', '.results.mine.entities[0].team | index("sre") != null'],
  44: [
    '../../../../../cli/src/migrate/migrate.command',
    'edits what it knows of Terraform and leaves the rest byte for byte; a second run changes nothing',
  ],
  45: ['users-and-teams', 'has the flag, the blueprints, an entity for each user and team, and their pages'],
};

test('each of the 45 cases is promised somewhere, and once', () => {
  const sourceOf = (file: string) => {
    const paths = ['', '.int.test.ts', '.test.ts', '.ts'].map((end) => new URL(`./${file}${end}`, import.meta.url));
    const path = paths.find((each) => existsSync(each));
    return path === undefined ? '' : readFileSync(path, 'utf8');
  };
  const here = ['teams', 'documents'].flatMap((part) =>
    [...sourceOf(`edge-cases-of-${part}`).matchAll(/^test\(['"]case (\d+): /gm)].map((match) => Number(match[1])),
  );
  const all = [...here, ...Object.keys(elsewhere).map(Number)].sort((a, b) => a - b);
  expect(all).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  for (const [file, title] of Object.values(elsewhere)) {
    expect(sourceOf(file).includes(title), `${file}: ${title}`).toBe(true);
  }
});
