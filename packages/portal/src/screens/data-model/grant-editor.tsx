import { Checkbox, Input, Stack, Text, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { GrantLists } from '../../parts/grant-lists.tsx';
import { type Grant, type GrantName, grantTitles } from './permission-draft.ts';

/** Who may do one thing: roles, teams, users, owners, and a policy. */
export function GrantEditor({
  name,
  grant,
  hasOwnership,
  onChange,
  onBroken,
}: {
  name: GrantName;
  grant: Grant;
  hasOwnership: boolean;
  onChange: (grant: Grant) => void;
  onBroken: (isBroken: boolean) => void;
}) {
  const { title, text } = grantTitles[name];
  return (
    <section className={surfaces.block} aria-labelledby={`grant-${name}`}>
      <Title order={2} size="h3" id={`grant-${name}`}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <Stack gap="sm">
        <GrantLists grant={grant} onChange={onChange} />
        <Checkbox
          label={t('Teams that own the entity')}
          description={hasOwnership ? undefined : t('The blueprint has no ownership, so this lets nobody')}
          checked={grant.ownedByTeam}
          onChange={({ currentTarget }) => onChange({ ...grant, ownedByTeam: currentTarget.checked })}
        />
        <PolicyField grant={grant} name={title} onChange={onChange} onBroken={onBroken} />
      </Stack>
    </section>
  );
}

function PolicyField({
  grant,
  name,
  onChange,
  onBroken,
}: {
  grant: Grant;
  name: string;
  onChange: (grant: Grant) => void;
  onBroken: (isBroken: boolean) => void;
}) {
  const [text, setText] = useState(() => (grant.policy === undefined ? '' : JSON.stringify(grant.policy, null, 2)));
  const [isShown, setShown] = useState(grant.policy !== undefined);
  const [problem, setProblem] = useState<string>();
  const type = (typed: string) => {
    setText(typed);
    const { policy, ...rest } = grant;
    if (typed.trim() === '') {
      setProblem(undefined);
      onBroken(false);
      return onChange(rest);
    }
    try {
      const value: unknown = JSON.parse(typed);
      if (!isRecord(value)) throw new Error(t('must be an object with "combinator" and "rules"'));
      setProblem(undefined);
      onBroken(false);
      onChange({ ...rest, policy: value as unknown as NonNullable<Grant['policy']> });
    } catch (error) {
      setProblem((error as Error).message);
      onBroken(true);
    }
  };
  if (!isShown) {
    return <Checkbox label={t('People matching a policy (JQ)')} checked={false} onChange={() => setShown(true)} />;
  }
  return (
    <Input.Wrapper
      label={t('Policy')}
      description={t('A query as JSON: who matches is let. Empty for none.')}
      error={problem}
    >
      <CodeEditor
        language="json"
        label={t('Policy: {name}', { name })}
        value={text}
        onChange={type}
        minHeight={80}
        maxHeight={320}
      />
    </Input.Wrapper>
  );
}
