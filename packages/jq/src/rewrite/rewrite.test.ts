import { describe, expect, test } from 'vitest';
import type { Place } from '../analysis/place.ts';
import { rewrite } from './rewrite.ts';

const one = { any: 'one' } as const;

describe('paths', () => {
  test.each<[string, Place, Place, string]>([
    ['.relations.teams | length', ['relations', 'teams'], ['team'], '.team | length'],
    ['.relations | .teams   # keep', ['relations', 'teams'], ['team'], '.team   # keep'],
    ['.relations["teams"][0]?', ['relations', 'teams'], ['team'], '.team[0]?'],
    ['.relations."teams"', ['relations', 'teams'], ['team'], '.team'],
    [
      '[ .user.teams[].name ]',
      ['user', 'teams', one, 'name'],
      ['user', 'teamsIdentifiers', one],
      '[ .user.teamsIdentifiers[] ]',
    ],
    ['{team}', ['team'], ['$team'], '{team: .["$team"]}'],
    [
      '. as {relations: {teams: $t}} | $t',
      ['relations', 'teams'],
      ['relations', 'owners'],
      '. as {relations: {owners: $t}} | $t',
    ],
    ['.x|getpath(["relations","teams"])', ['x', 'relations', 'teams'], ['x', 'team'], '.x|getpath(["team"])'],
    ['.relations.teams_backup,.relations.teams', ['relations', 'teams'], ['team'], '.relations.teams_backup,.team'],
    [
      '(.results.me.entities | first | .relations.owners) | index("sre") != null',
      ['results', one, 'entities', one, 'relations', 'owners'],
      ['results', one, 'entities', one, 'team'],
      '(.results.me.entities | first | .team) | index("sre") != null',
    ],
    ['map(select(.team))', [one, 'team'], [one, 'owner'], 'map(select(.owner))'],
    ['{teams: .relations.teams}', ['relations', 'teams'], ['team'], '{teams: .team}'],
    ['gsub("(?<team>x)"; .team)', ['team'], ['owner'], 'gsub("(?<team>x)"; .team)'],
  ])('%s', (source, from, to, expected) => {
    expect(rewrite(source, [{ kind: 'path', from, to }]).source).toBe(expected);
  });

  test('what cannot be replaced in place is told', () => {
    const { source, remaining } = rewrite('.relations as $r | $r.teams', [
      { kind: 'path', from: ['relations', 'teams'], to: ['team'] },
    ]);
    expect(source).toBe('.relations as $r | $r.teams');
    expect(remaining).toMatchObject([{ text: '$r.teams', start: 19 }]);
  });
});

describe('comparisons', () => {
  test.each([
    ['.user.team | contains(["SRE"])', ['user', 'team'], '.user.team | contains(["sre"])'],
    ['.team[] == "SRE"', ['team'], '.team[] == "sre"'],
    ['any(.team[]; . == "SRE") or .title == "SRE"', ['team'], 'any(.team[]; . == "sre") or .title == "SRE"'],
    ['.team|index("SRE")  !=  null', ['team'], '.team|index("sre")  !=  null'],
    ['"SRE" == .team[0]', ['team'], '"sre" == .team[0]'],
    ['.team - ["SRE"] | length', ['team'], '.team - ["sre"] | length'],
    ['.title == "SRE"', ['team'], '.title == "SRE"'],
  ] as const)('%s', (source, path, expected) => {
    expect(rewrite(source, [{ kind: 'comparison', path, from: 'SRE', to: 'sre' }]).source).toBe(expected);
  });
});
