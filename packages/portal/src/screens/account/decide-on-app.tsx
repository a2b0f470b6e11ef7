import { Alert, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, ApiError, call } from '../../api/api.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { plural, t } from '../../kit/translate.ts';
import { forgetAskedAuthorization } from './asked-authorization.ts';
import { BarePage } from './bare-page.tsx';
import { type McpScope, mcpScopeNames } from './mcp-scope-names.ts';

export type DescribedApp = AnswerOf<'describeAuthorization'>;

const durations = [
  { value: '1', label: t('A day') },
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
];

/** Who asks, for what, for how long; and the two answers. */
export function DecideOnApp({ request, described }: { request: string; described: DescribedApp }) {
  const { client, organization, offers, daysMax } = described;
  const [chosen, setChosen] = useState<readonly McpScope[]>(() =>
    offers.filter(({ isAsked }) => isAsked).map(({ scope }) => scope),
  );
  const [days, setDays] = useState('30');
  const decide = useMutation({
    mutationFn: (decision: 'allow' | 'deny') =>
      call('decideAuthorization', {
        body: { request, decision, ...(decision === 'allow' ? { scopes: [...chosen], days: Number(days) } : {}) },
      }),
    onSuccess: ({ location: next }) => {
      forgetAskedAuthorization();
      location.assign(next);
    },
  });
  const isLeaving = decide.isPending || decide.isSuccess;
  return (
    <BarePage
      title={t('Let {name} in?', { name: client.name })}
      lead={t('The app would act as you in {organization}.', { organization: organization.name })}
    >
      <Stack>
        <Text>
          <WhereAnswerGoes client={client} />
        </Text>
        <Checkbox.Group
          label={t('The app may')}
          value={[...chosen]}
          onChange={(values) => setChosen(values as McpScope[])}
        >
          <Stack gap="xs" mt="xs">
            {offers.map((offer) => (
              <OfferedScope key={offer.scope} offer={offer} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('For')}
          data={durations.filter(({ value }) => Number(value) <= daysMax)}
          allowDeselect={false}
          value={days}
          onChange={(value) => setDays(value ?? '30')}
        />
        <Text size="sm" c="dimmed">
          {t('The app can never do more than you can. You can shut it out at any time under Connected apps.')}
        </Text>
        {decide.error && (
          <Alert color="red" role="alert">
            {decide.error instanceof ApiError ? decide.error.message : t('The server could not be reached.')}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isLeaving} onClick={() => decide.mutate('deny')}>
            {t('Deny')}
          </Button>
          <Button disabled={chosen.length === 0} loading={isLeaving} onClick={() => decide.mutate('allow')}>
            {t('Allow')}
          </Button>
        </Group>
      </Stack>
    </BarePage>
  );
}

function WhereAnswerGoes({ client }: Pick<DescribedApp, 'client'>) {
  const values = { host: client.redirectHost };
  const parts = { strong: <strong /> };
  return client.isOnThisMachine ? (
    <Sentence
      text="The answer goes to a program on this computer (<strong>{host}</strong>). Only go on if you started it just now."
      values={values}
      parts={parts}
    />
  ) : (
    <Sentence
      text="The answer goes to <strong>{host}</strong>. The app chose its name itself: go on only if you know this address."
      values={values}
      parts={parts}
    />
  );
}

function OfferedScope({ offer }: { offer: DescribedApp['offers'][number] }) {
  const { scope, isAsked, tools, examples } = offer;
  const count = plural(tools, '{count} tool', '{count} tools');
  const detail = t('{count}, such as {examples}', { count, examples: examples.join(', ') });
  return (
    <Checkbox
      value={scope}
      label={mcpScopeNames[scope]}
      description={isAsked ? detail : t('{detail}. The app did not ask for this.', { detail })}
    />
  );
}
