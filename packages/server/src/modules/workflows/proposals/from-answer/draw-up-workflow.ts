import { type DrawnStep, drawStep } from './draw-step.ts';
import type { DrawnCall } from './drawn-call.ts';
import { createFormInputs, free } from './form-inputs.ts';

export interface DrawnWorkflow {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly sample: Readonly<Record<string, unknown>>;
  /** What of the answer no step does, for a person to decide on. */
  readonly questions: readonly string[];
  readonly steps: number;
}

export const drawnMax = { steps: 40, questions: 10, questionCharacters: 300 } as const;

const trigger = 'form';

/**
 * The workflow that does again what the calls of an answer did, one after the other, for what its form is filled in
 * with. Each call is a step or stands in a question.
 */
export function drawUpWorkflow(
  { identifier, title }: { readonly identifier: string; readonly title: string },
  calls: readonly DrawnCall[],
): DrawnWorkflow {
  const form = createFormInputs();
  const steps: DrawnStep[] = [];
  const left: DrawnCall[] = [];
  const seen = new Set<string>();
  for (const call of calls) {
    // read again, it was the same call
    const same = JSON.stringify(call);
    if (seen.has(same)) continue;
    seen.add(same);
    const step = steps.length < drawnMax.steps ? drawStep(call, form) : undefined;
    if (step) steps.push(step);
    else left.push(call);
  }
  const nodes: Record<string, object> = {};
  const names = steps.map(({ name, title: shown, config }) => {
    const key = free(toNodeName(name), { ...nodes, [trigger]: true, trigger: true });
    nodes[key] = { identifier: key, title: shown, config };
    return key;
  });
  const keys = Object.keys(form.properties);
  const userInputs = { properties: form.properties, required: keys, order: keys };
  return {
    definition: {
      identifier,
      title,
      nodes: [
        { identifier: trigger, title: 'What differs', config: { type: 'SELF_SERVE_TRIGGER', userInputs } },
        ...Object.values(nodes),
      ],
      connections: names.map((name, index) => ({
        sourceIdentifier: index === 0 ? trigger : names[index - 1],
        targetIdentifier: name,
      })),
    },
    sample: form.sample,
    questions: bound([...questionsOn(left), ...steps.flatMap(({ asks }) => asks)]),
    steps: steps.length,
  };
}

function questionsOn(left: readonly DrawnCall[]): string[] {
  const named = (calls: readonly DrawnCall[]) => [...new Set(calls.map(nameCall))].join(', ');
  const failed = left.filter((call) => call.kind === 'none' && call.why === 'failed');
  const gone = left.filter((call) => call.kind === 'none' && call.why === 'gone');
  const others = left.filter((call) => call.kind !== 'none');
  return [
    ...(others.length > 0 ? [`No step does what these calls did. Is it needed? ${named(others)}`] : []),
    ...(failed.length > 0 ? [`These calls failed and are no steps: ${named(failed)}`] : []),
    ...(gone.length > 0 ? [`These calls started what is not there any more, or not for you: ${named(gone)}`] : []),
  ];
}

function nameCall(call: DrawnCall): string {
  if (call.kind === 'action') return call.action;
  return call.kind === 'workflow' ? call.workflow : call.name;
}

/** No question is left out without a word. */
function bound(questions: readonly string[]): string[] {
  const distinct = [...new Set(questions)].map((each) =>
    each.length > drawnMax.questionCharacters ? `${each.slice(0, drawnMax.questionCharacters - 1)}…` : each,
  );
  if (distinct.length <= drawnMax.questions) return distinct;
  const shown = distinct.slice(0, drawnMax.questions - 1);
  return [...shown, `${distinct.length - shown.length} more questions are left out; compare the steps with the answer`];
}

function toNodeName(name: string): string {
  const plain = name.replace(/[^\p{L}0-9_]+/gu, '_').slice(0, 50);
  return plain === '' ? 'step' : plain;
}
