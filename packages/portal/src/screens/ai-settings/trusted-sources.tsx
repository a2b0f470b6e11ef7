import { Checkbox, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsSwitch } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';

type Policy = AnswerOf<'getAiPolicy'>['policy'];
type Named = Policy['trustedSources'][number];

/** What brings texts from elsewhere, and whether those may lead the assistant. */
export function TrustedSources({ policy }: { policy: Policy }) {
  const integrations = useRead('listIntegrations');
  const webhooks = useRead('listWebhooks');
  const sources = useRead('listSources');
  return (
    <>
      <Text fw={600} mt="md" mb={4}>
        {t('Trusted sources')}
      </Text>
      <Text size="sm" mb="xs">
        {t(
          'Text that these bring counts as text from outside, and holds calls up. Trust one only if you would let everyone who can write there run actions: their text can lead the assistant. Trust holds for what is written from now on.',
        )}
      </Text>
      <Reading of={integrations}>
        {({ integrations: installed }) => (
          <Reading of={webhooks}>
            {({ integrations: hooks }) => (
              <Reading of={sources}>
                {({ sources: read }) => (
                  <Choices
                    policy={policy}
                    all={[
                      ...installed.map(({ installationId, title }) => toChoice('integration', installationId, title)),
                      ...hooks.map(({ identifier, title }) => toChoice('webhook', identifier, title)),
                      ...read.map(({ identifier, title }) => toChoice('source', identifier, title)),
                    ]}
                  />
                )}
              </Reading>
            )}
          </Reading>
        )}
      </Reading>
    </>
  );
}

interface Choice extends Named {
  readonly title: string;
}

function toChoice(kind: Named['kind'], identifier: string, title: string | null | undefined): Choice {
  return { kind, identifier, title: title ?? identifier };
}

function Choices({ policy, all }: { policy: Policy; all: readonly Choice[] }) {
  const may = useMay('putAiPolicy');
  const put = useChange('putAiPolicy', { staleAfter: ['getAiPolicy'] });
  const { injection, trustedSources } = policy;
  if (all.length === 0) return <Text c="dimmed">{t('Nothing brings text from elsewhere.')}</Text>;
  const trust = ({ kind, identifier }: Named, isTrusted: boolean) => {
    const others = trustedSources.filter((each) => each.kind !== kind || each.identifier !== identifier);
    put.mutate({ body: { injection, trustedSources: isTrusted ? [...others, { kind, identifier }] : others } });
  };
  return (
    <Stack gap={6}>
      {all.map((choice) => (
        <NeedsSwitch key={`${choice.kind}/${choice.identifier}`} permit={may} to={t('choose trusted sources')}>
          <Checkbox
            size="sm"
            label={`${choice.title} (${kinds[choice.kind]})`}
            checked={trustedSources.some(
              ({ kind, identifier }) => kind === choice.kind && identifier === choice.identifier,
            )}
            disabled={put.isPending}
            onChange={({ currentTarget }) => trust(choice, currentTarget.checked)}
          />
        </NeedsSwitch>
      ))}
      {put.error && <ErrorState error={put.error} what={t('Nothing was changed')} />}
    </Stack>
  );
}

const kinds = { integration: t('integration'), webhook: t('webhook'), source: t('source') } as const;
