import { expect, test } from 'vitest';
import { guessColumns, makeBlueprint, previewColumn, profileColumns } from '../src/index.ts';
import { find, service } from './blueprints.ts';
import { makeTable } from './files.ts';

async function profilesOf(text: string, name?: string) {
  const table = await makeTable(text, name);
  return profileColumns(table.columns, table.sample);
}

async function guessed(text: string) {
  const columns = await guessColumns(await profilesOf(text), service, find);
  return Object.fromEntries(columns.map(({ heading, to }) => [heading, to]));
}

test('columns are guessed by name, title, synonym and by what their values name', async () => {
  const text =
    'Name,TIER,Monthly cost,Repository URL,Squad,Belongs to,Remark\n' +
    'cart,Gold,5,https://a.test/cart,core,Web shop,x\npay,Silver,6,https://a.test/pay,core,shop,y\n';
  expect(await guessed(text)).toEqual({
    Name: 'identifier',
    TIER: 'properties.tier',
    'Monthly cost': null,
    'Repository URL': 'properties.url',
    Squad: 'team',
    'Belongs to': 'relations.system',
    Remark: null,
  });
});

test('a name with spaces is the title, which the identifier is made from', async () => {
  expect(await guessed('name,cost\nWeb shop,1\nBank,2\n')).toEqual({ name: 'title', cost: 'properties.cost' });
});

test('each target is guessed once', async () => {
  const guesses = Object.values(await guessed('id,identifier,key,name,title\na,b,c,d,e\n')).filter(Boolean);
  expect(new Set(guesses).size).toBe(guesses.length);
});

test('what a column holds is told by all of its values', async () => {
  const text =
    'n,comma,zeros,b,day,both,list,url,mail,text,mixed\n' +
    '1,"1,5",007,yes,31/12/2026,1/2/2026,a; b,https://a.test,a@b.test,"Hello there, you","1.200,50"\n' +
    '"1,000","2,5",008,no,1/2/2026,3/4/2026,c,http://b.test,c@d.test,x,n/a\n';
  const profiles = await profilesOf(text);
  expect(profiles.map(({ heading, kind }) => [heading, kind])).toEqual([
    ['n', 'number'],
    ['comma', 'number'],
    ['zeros', 'text'],
    ['b', 'boolean'],
    ['day', 'date'],
    ['both', 'date'],
    ['list', 'list'],
    ['url', 'url'],
    ['mail', 'email'],
    ['text', 'text'],
    ['mixed', 'text'],
  ]);
  expect(profiles.map(({ dateOrder, needsDateOrder }) => dateOrder ?? needsDateOrder).slice(4, 6)).toEqual([
    'dmy',
    true,
  ]);
});

test('a blueprint is made from the columns: choices only where many rows share few values', async () => {
  const rows = Array.from(
    { length: 50 },
    (_, index) => `svc-${index},${index % 3 ? 'a' : 'b'},note ${index},core,${index}`,
  );
  const profiles = await profilesOf(`Name,Life cycle,Note,Owner,Pods\n${rows.join('\n')}\n`);
  const { blueprint, columns } = await makeBlueprint('Our services', profiles);
  expect(blueprint).toEqual({
    identifier: 'our-services',
    title: 'Our services',
    ownership: { type: 'Direct' },
    schema: {
      properties: {
        lifeCycle: { title: 'Life cycle', type: 'string', enum: ['b', 'a'] },
        note: { title: 'Note', type: 'string' },
        pods: { title: 'Pods', type: 'number' },
      },
    },
  });
  expect(columns.map(({ to }) => to)).toEqual([
    'identifier',
    'properties.lifeCycle',
    'properties.note',
    'team',
    'properties.pods',
  ]);
});

test('a table that nothing identifies goes by its first column', async () => {
  const { columns } = await makeBlueprint('x', await profilesOf('a,b\n1,2\n1,2\n'));
  expect(columns.map(({ to }) => to)).toEqual(['title', 'properties.b']);
});

test('a preview shows the first different values and what becomes of each', async () => {
  const table = await makeTable('name,cost\na,1\nb,1\nc,x\nd,"1,000"\ne,9\n');
  expect(previewColumn(table, { heading: 'cost', to: 'properties.cost' }, service)).toEqual([
    { text: '1', value: '1' },
    { text: 'x', problem: '"x" is no number.' },
    { text: '1,000', value: '1000' },
  ]);
  expect(previewColumn(table, { heading: 'name', to: 'identifier' }, service)[0]).toEqual({ text: 'a', value: 'a' });
  expect(previewColumn(table, { heading: 'name', to: null }, service)[0]).toEqual({ text: 'a' });
});
