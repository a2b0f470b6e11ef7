import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { CodeEditor } from '../../../kit/code-editor.tsx';
import surfaces from '../../../kit/surfaces.module.css';
import { t } from '../../../kit/translate.ts';
import { ColourBadge, StatusBadge } from '../../../parts/badges.tsx';
import type { Definition } from '../document/definition.ts';
import { findKind } from '../node-kinds.ts';
import classes from './test-result.module.css';
import { type Json, readJson } from './test-sample.ts';

type Tested = AnswerOf<'testWorkflow'>['test'];
type Step = Tested['steps'][number];
type Change = Step['changes'][number];
export type Pinned = Readonly<Record<string, { readonly output?: Json; readonly outlet?: string }>>;

/** The path that a test took, with what each step would do; without `onPin` it is only shown. */
export function TestResult({
  test,
  draft,
  onPin,
}: {
  test: Tested;
  draft: Definition;
  onPin?: (node: string, what: Pinned[string]) => void;
}) {
  const ends = {
    SUCCESS: t('The run would succeed.'),
    FAILED: t('The run would fail.'),
    WAITS: t('The run would wait here.'),
    NOT_STARTED: t('The run would not start.'),
  };
  return (
    <section aria-label={t('Result of the test')}>
      <Alert color={test.ended === 'SUCCESS' ? 'green' : test.ended === 'WAITS' ? 'yellow' : 'red'} role="status">
        {ends[test.ended]} {test.message}
        {test.issues.map(({ path, message }) => (
          <div key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </div>
        ))}
      </Alert>
      {test.steps.length > 0 && (
        <ol className={`${surfaces.list} ${classes.steps}`}>
          {test.steps.map((step, index) => (
            <StepResult
              key={step.node}
              step={step}
              number={index + 1}
              draft={draft}
              onPin={onPin && ((what) => onPin(step.node, what))}
            />
          ))}
        </ol>
      )}
      {test.compensations && test.compensations.length > 0 && (
        <>
          <Text fw={600} mt="md">
            {t('What would be undone')}
          </Text>
          <ol className={`${surfaces.list} ${classes.steps}`} aria-label={t('What would be undone')}>
            {test.compensations.map((step, index) => (
              <StepResult
                key={step.compensates}
                step={step}
                number={index + 1}
                draft={draft}
                undoes={titleIn(draft, step.compensates)}
                onPin={undefined}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function titleIn(draft: Definition, step: string): string {
  return draft.nodes.find(({ identifier }) => identifier === step)?.title || step;
}

function StepResult({
  step,
  number,
  draft,
  undoes,
  onPin,
}: {
  step: Step;
  number: number;
  draft: Definition;
  /** Title of the step that it undoes. */
  undoes?: string;
  onPin: ((what: Pinned[string]) => void) | undefined;
}) {
  const title = step.title || step.node;
  const node = draft.nodes.find(({ identifier }) => identifier === step.node);
  const outlets = (node?.config['outlets'] ?? []) as readonly { identifier: string; title?: string }[];
  const titleOf = (outlet: string) => outlets.find(({ identifier }) => identifier === outlet)?.title || outlet;
  const { icon: Icon } = findKind(step.type);
  return (
    <li className={classes.step}>
      <Group gap="xs">
        <span className={classes.number}>{number}.</span>
        <Icon size={16} aria-hidden="true" />
        <strong dir="auto">{title}</strong>
        <StepState step={step} />
        {undoes !== undefined && (
          <Text size="sm" dir="auto">
            {t('undoes {title}', { title: undoes })}
          </Text>
        )}
        {step.outlet && (
          <Text size="sm" dir="auto">
            {t('On {title}', { title: titleOf(step.outlet) })}
          </Text>
        )}
      </Group>
      {step.message && <Text size="sm">{step.message}</Text>}
      {onPin && step.status === 'WAITS' && outlets.length > 0 && (
        <Group gap="xs" mt="xs">
          {outlets.map(({ identifier }) => (
            <Button key={identifier} size="xs" variant="default" onClick={() => onPin({ outlet: identifier })}>
              {t('Go on with {button}', { button: titleOf(identifier) })}
            </Button>
          ))}
        </Group>
      )}
      {step.changes.map((change) => (
        <Text size="sm" key={`${change.action} ${change.blueprint} ${change.identifier}`} dir="auto">
          {changeWords(change)}
        </Text>
      ))}
      <div className={classes.more}>
        <Folded title={t('Details')}>
          <CodeEditor
            value={JSON.stringify({ input: step.input, output: step.output, changes: step.changes }, null, 2)}
            language="json"
            label={t('Details of {title}', { title })}
            maxHeight={260}
          />
        </Folded>
        {onPin && step.from !== 'step' && step.status === 'SUCCESS' && <Pin step={step} title={title} onPin={onPin} />}
      </div>
    </li>
  );
}

/** How the step went, or where its answer is from if it was not carried out. */
function StepState({ step }: { step: Step }) {
  if (step.status === 'FAILED') return <StatusBadge status="FAILED" />;
  if (step.status === 'WAITS') return <StatusBadge status="PENDING" label={t('Waits')} />;
  const from = {
    step: undefined,
    pinned: t('Answer pinned'),
    'last-run': t('Answer of the last run'),
    nothing: t('Not carried out'),
  }[step.from];
  if (from === undefined) return <StatusBadge status="SUCCESS" />;
  return <ColourBadge colour={step.from === 'nothing' ? 'lightGray' : 'blue'}>{from}</ColourBadge>;
}

function changeWords({ action, blueprint, identifier }: Change): string {
  const thing = { blueprint: blueprint ?? '', identifier };
  if (action === 'CREATE') return t('Would create {identifier} of {blueprint}', thing);
  if (action === 'DELETE') return t('Would delete {identifier} of {blueprint}', thing);
  return t('Would change {identifier} of {blueprint}', thing);
}

/** The answer with which a step goes on that calls others. */
function Pin({ step, title, onPin }: { step: Step; title: string; onPin: (what: Pinned[string]) => void }) {
  const [answer, setAnswer] = useState<string>();
  const typed = answer === undefined ? undefined : readJson(answer);
  return (
    <Folded title={t('Pin an answer')}>
      <CodeEditor
        value={answer ?? JSON.stringify(step.output, null, 2)}
        onChange={setAnswer}
        language="json"
        label={t('Answer of {title}', { title })}
        maxHeight={200}
      />
      <Button
        size="xs"
        variant="default"
        mt="xs"
        disabled={typed === undefined}
        onClick={() => typed !== undefined && onPin({ output: typed.value })}
      >
        {t('Pin and test again')}
      </Button>
    </Folded>
  );
}

/** Its content is drawn once it is opened: an editor for each step would be many. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>{title}</summary>
      {isOpen && children}
    </details>
  );
}
