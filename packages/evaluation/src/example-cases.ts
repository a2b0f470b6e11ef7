import type { Grader } from '@portolan/contract/evaluation';

/** A case as it is written. */
export interface ExampleCase {
  readonly identifier: string;
  readonly title: string;
  readonly properties: { readonly question: string; readonly expect: Grader[]; readonly tags: string[] };
}

/** Cases that show the graders, and hold for any data: right answers are searched for when the question is asked. */
const ofServices: readonly ExampleCase[] = [
  {
    identifier: 'services-without-owner',
    title: 'Services without an owner',
    properties: {
      question: 'Which services have no owner?',
      expect: [
        {
          grader: 'query',
          blueprint: 'service',
          query: { combinator: 'and', rules: [{ property: '$team', operator: 'isEmpty' }] },
          partial: true,
        },
        { grader: 'not_called', tool: 'run_' },
      ],
      tags: ['example'],
    },
  },
  {
    identifier: 'number-of-services',
    title: 'Number of services',
    properties: {
      question: 'How many services are there?',
      expect: [
        { grader: 'query', blueprint: 'service', compare: 'count' },
        { grader: 'latency_max', ms: 60_000 },
      ],
      tags: ['example'],
    },
  },
];

const ofEverybody: readonly ExampleCase[] = [
  {
    identifier: 'owner-of-nothing',
    title: 'The owner of something that is not there',
    properties: {
      question: 'Who owns the zeppelin service?',
      expect: [{ grader: 'refuses' }, { grader: 'nothing_executed' }],
      tags: ['example', 'refusal'],
    },
  },
];

/** The examples that make sense with these blueprints. */
export function examplesFor(blueprints: ReadonlySet<string>): readonly ExampleCase[] {
  return blueprints.has('service') ? [...ofServices, ...ofEverybody] : ofEverybody;
}
