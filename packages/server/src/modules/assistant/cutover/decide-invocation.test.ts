import { describe, expect, test } from 'vitest';
import { type CutoverNow, decideInvocation, type InvocationForm } from './decide-invocation.ts';

type Cell = 'SSE' | '202' | '410' | '404';
type Row = [stream: boolean | undefined, useMcp: boolean | undefined, cell: Cell, ignored: string];

const none = undefined;
const eitherWay = [none, true, false];

function decideCell(form: InvocationForm, now: CutoverNow): Cell {
  const decision = decideInvocation(form, now);
  if (decision.isRefused) return decision.code === 'endpoint_removed' ? '410' : '404';
  return decision.answer === 'stream' ? 'SSE' : '202';
}

function listIgnored(form: InvocationForm, now: CutoverNow): string {
  const decision = decideInvocation(form, now);
  return decision.isRefused ? '' : decision.ignoredParameters.join(' ');
}

const stages = ['legacy', 'transition', 'schema_testing', 'cutover'] as const;
const beforeRows = (isLegacy: boolean): Row[] =>
  [none, false, true].flatMap((stream) =>
    eitherWay.map((useMcp): Row => [stream, useMcp, stream ? 'SSE' : '202', isLegacy && useMcp ? 'use_mcp' : '']),
  );
const afterRows: Row[] = [
  [none, none, 'SSE', ''],
  [none, true, 'SSE', ''],
  [none, false, 'SSE', 'use_mcp'],
  [true, none, 'SSE', ''],
  [true, true, 'SSE', ''],
  [true, false, 'SSE', 'use_mcp'],
  [false, none, '202', ''],
  [false, true, '202', ''],
  [false, false, 'SSE', 'stream use_mcp'],
];
const waitingRows: Row[] = [none, false, true].flatMap((stream) =>
  eitherWay.map((useMcp): Row => [stream, useMcp, stream ? 'SSE' : '202', useMcp === false ? 'use_mcp' : '']),
);
const assistantRows = (cell: Cell): Row[] =>
  eitherWay.flatMap((stream) =>
    eitherWay.map((useMcp): Row => {
      const ignored = [stream === false ? 'stream' : '', useMcp === false ? 'use_mcp' : ''].filter(Boolean).join(' ');
      return [stream, useMcp, cell, cell === '404' ? '' : ignored];
    }),
  );
const removedRows: Row[] = eitherWay.flatMap((stream) => eitherWay.map((useMcp): Row => [stream, useMcp, '410', '']));

describe.each(stages)('at %s', (stage) => {
  describe.each([true, false])('with operatorUpdated %s', (operatorUpdated) => {
    const now = { stage, operatorUpdated };
    const isOver = stage === 'cutover';
    const rows = {
      assistant: assistantRows(stage === 'legacy' ? '404' : 'SSE'),
      router: isOver ? removedRows : beforeRows(stage === 'legacy'),
      agent: isOver ? (operatorUpdated ? afterRows : waitingRows) : beforeRows(stage === 'legacy'),
    };
    describe.each(['assistant', 'router', 'agent'] as const)('the %s path', (endpoint) => {
      test.each(rows[endpoint])('stream=%s use_mcp=%s: %s, ignoring "%s"', (stream, useMcp, cell, ignored) => {
        const form = { endpoint, stream, useMcp };
        expect(decideCell(form, now)).toBe(cell);
        expect(listIgnored(form, now)).toBe(ignored);
        // `Prefer: respond-async` never gets a stream, and a refusal stays one
        expect(decideCell({ ...form, respondAsync: true }, now)).toBe(cell === 'SSE' ? '202' : cell);
      });
    });
  });

  test.each(['router', 'agent'] as const)('the new assistant behind the %s is used only if asked for', (endpoint) => {
    const generation = (useMcp: boolean | undefined) => {
      const decision = decideInvocation({ endpoint, useMcp }, { stage, operatorUpdated: stage === 'cutover' });
      return decision.isRefused ? 'none' : decision.generation;
    };
    const gone = stage === 'cutover' && endpoint === 'router';
    const byDefault = stage === 'cutover' ? 'new' : 'old';
    expect(generation(none)).toBe(gone ? 'none' : byDefault);
    expect(generation(false)).toBe(gone ? 'none' : byDefault);
    expect(generation(true)).toBe(gone ? 'none' : stage === 'legacy' ? 'old' : 'new');
  });

  test('the new limits count from the first moment outside legacy, on every path', () => {
    for (const endpoint of ['assistant', 'router', 'agent'] as const) {
      const decision = decideInvocation({ endpoint }, { stage, operatorUpdated: false });
      if (!decision.isRefused) expect(decision.isCounted).toBe(stage !== 'legacy');
    }
  });

  test('the router says that it goes, between legacy and cutover', () => {
    const decision = decideInvocation({ endpoint: 'router' }, { stage, operatorUpdated: false });
    expect(decision.isRefused ? undefined : decision.isDeprecated).toBe(
      { legacy: false, transition: true, schema_testing: true, cutover: undefined }[stage],
    );
  });
});
