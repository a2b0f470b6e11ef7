import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { KeyRound } from 'lucide-react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
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
        title="Credentials"
        description="API tokens act as you, with your rights, until they expire or you revoke them."
        actions={
          <Button leftSection={<KeyRound size={16} />} onClick={open}>
            Generate API token
          </Button>
        }
      />
      <section aria-labelledby="mine">
        <Title order={2} id="mine" mb="sm">
          Your API tokens
        </Title>
        <Reading of={tokens}>
          {({ tokens: list }) =>
            list.length === 0 ? (
              <EmptyState title="You have no API token">
                Generate one to call the API from a script, a pipeline or an AI client.
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
    consequence: 'Programs that use it are refused within a second. This cannot be undone.',
    verb: 'Revoke',
    past: 'revoked',
  };
  return (
    <li className={surfaces.item}>
      <div>
        <strong>{token.name}</strong> <code>…{token.hint}</code>
        <div className={surfaces.detail}>
          {describeScopes(token.scopes)} · expires <RelativeTime at={token.expiresAt} /> · last used{' '}
          {token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : 'never'}
        </div>
      </div>
      <Button
        size="xs"
        variant="default"
        onClick={() => void ask(revocation)}
        loading={isPending}
        aria-label={`Revoke ${token.name}`}
      >
        Revoke
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
        Credentials of the organization
      </Title>
      <Text c="dimmed" mb="sm">
        For integrations and Terraform. A secret is shown once. If you lose it, rotate it.
      </Text>
      <Reading of={credentials}>
        {({ apps }) => (
          <ul className={surfaces.list}>
            {apps.map(({ id = '', name }) => (
              <li key={id} className={surfaces.item}>
                <div>
                  <strong>{name}</strong>
                  <div className={surfaces.detail}>Client id</div>
                </div>
                <Group gap={4}>
                  <code>{id}</code>
                  <CopyValue value={id} what="the client id" />
                </Group>
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </section>
  );
}
