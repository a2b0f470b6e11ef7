import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { KeyRound } from 'lucide-react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { GenerateToken } from './generate-token.tsx';
import { describeScopes } from './token-life.ts';

export function Screen() {
  const session = useSession();
  const tokens = useRead('listApiTokens');
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Stack gap="xl" maw={860}>
      <PageHeader
        title={t('Credentials')}
        description={t('API tokens act as you, with your rights, until they expire or you revoke them.')}
        actions={
          <Button leftSection={<KeyRound size={16} />} onClick={open}>
            {t('Generate API token')}
          </Button>
        }
      />
      <section aria-labelledby="mine">
        <Title order={2} id="mine" mb="sm">
          {t('Your API tokens')}
        </Title>
        <Reading of={tokens}>
          {({ tokens: list }) =>
            list.length === 0 ? (
              <EmptyState title={t('You have no API token')}>
                {t('Generate one to call the API from a script, a pipeline or an AI client.')}
              </EmptyState>
            ) : (
              <ul className={surfaces.list}>
                {list.map((token) => (
                  <TokenItem key={token.id} token={token} />
                ))}
              </ul>
            )
          }
        </Reading>
      </section>
      {isAdmin(session) && <OrganizationCredentials />}
      {isOpen && <GenerateToken onClose={close} />}
    </Stack>
  );
}

function TokenItem({ token }: { token: AnswerOf<'listApiTokens'>['tokens'][number] }) {
  const { ask, isPending } = useDelete('revokeApiToken', { staleAfter: ['listApiTokens'] });
  const revocation = {
    input: { params: { token_id: token.id } },
    name: token.name,
    consequence: t('Programs that use it are refused within a second. This cannot be undone.'),
    verb: t('Revoke'),
    past: 'revoked',
  };
  return (
    <li className={surfaces.item}>
      <div>
        <strong>{token.name}</strong> <code>…{token.hint}</code>
        <div className={surfaces.detail}>
          <Sentence
            text="{scopes} · expires <time/> · last used"
            values={{ scopes: describeScopes(token.scopes) }}
            parts={{ time: <RelativeTime at={token.expiresAt} /> }}
          />{' '}
          {token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : t('never')}
        </div>
      </div>
      <Button
        size="xs"
        variant="default"
        onClick={() => void ask(revocation)}
        loading={isPending}
        aria-label={t('Revoke {name}', { name: token.name })}
      >
        {t('Revoke')}
      </Button>
    </li>
  );
}

/** Administrators see client ids; client secrets were shown once and cannot be shown again. */
function OrganizationCredentials() {
  const credentials = useRead('listApps');
  return (
    <section aria-labelledby="organization">
      <Title order={2} id="organization" mb={4}>
        {t('Credentials of the organization')}
      </Title>
      <Text c="dimmed" mb="sm">
        {t('For integrations and Terraform. A secret is shown once. If you lose it, rotate it.')}
      </Text>
      <Reading of={credentials}>
        {({ apps }) => (
          <ul className={surfaces.list}>
            {apps.map(({ id = '', name }) => (
              <li key={id} className={surfaces.item}>
                <div>
                  <strong>{name}</strong>
                  <div className={surfaces.detail}>{t('Client id')}</div>
                </div>
                <Group gap={4}>
                  <code>{id}</code>
                  <CopyValue value={id} what={t('the client id')} />
                </Group>
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </section>
  );
}
