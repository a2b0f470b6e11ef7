import { Alert, Stack, Text, Textarea, Title } from '@mantine/core';
import { issueAt } from '../../kit/refusal.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { BackendFields } from '../../parts/actions/backend-fields.tsx';
import form from '../../parts/form.module.css';
import { NamingFields } from '../../parts/naming-fields.tsx';
import { mayTriggerItself } from './automation-draft.ts';
import classes from './automations.module.css';
import { ConditionFields } from './condition-fields.tsx';
import type { EditorProps } from './editor-props.ts';
import { TriggerFields } from './trigger-fields.tsx';

/** The form of an automation: when, if, then. */
export function AutomationForm({ isNew, ...props }: EditorProps & { isNew: boolean }) {
  const { draft, onChange, issues } = props;
  return (
    <div className={classes.form}>
      <Stack gap="md">
        <section className={form.section} aria-label={t('Automation')}>
          <NamingFields
            title={draft.title}
            identifier={draft.identifier}
            isNew={isNew}
            issues={issues}
            onChange={(changed) => onChange({ ...draft, ...changed })}
          />
          <Textarea
            label={t('Description')}
            autosize
            maxRows={6}
            value={draft.description ?? ''}
            error={issueAt(issues, 'description')}
            onChange={({ currentTarget: { value } }) => {
              const { description: _before, ...rest } = draft;
              onChange(value === '' ? rest : { ...rest, description: value });
            }}
          />
        </section>
        <Section title={t('When')}>
          <TriggerFields {...props} />
        </Section>
        <Section title={t('If')}>
          <ConditionFields {...props} />
        </Section>
      </Stack>
      <Section title={t('Then')}>
        {mayTriggerItself(draft) && (
          <Alert color="yellow" title={t('This automation may trigger itself')}>
            <Sentence
              text="Its action changes the same entities that start it. Compare before and after in a condition, such as <code>.diff.before.properties.state != .diff.after.properties.state</code>."
              parts={{ code: <code /> }}
            />
          </Alert>
        )}
        <BackendFields
          backend={draft.invocationMethod}
          start="event"
          issues={issues}
          onProblem={props.onProblem}
          onChange={(invocationMethod) => onChange({ ...draft, invocationMethod })}
        />
        <Text size="sm" c="dimmed">
          <Sentence
            text="Every text may hold templates: <code/> is what happened."
            parts={{ code: <code>{'{{ .event.diff.after.identifier }}'}</code> }}
          />
        </Text>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={form.section} aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </section>
  );
}
