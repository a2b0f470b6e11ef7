import { Group, Text, Title } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { PersonBadge } from '../../parts/badges.tsx';
import { proposalTitle } from '../../parts/workflows/proposal-card.tsx';
import { proposalAddress } from '../../parts/workflows/workflow-links.ts';

/** Workflows that assistants have proposed and nobody has decided on; nothing where there are none. */
export function Proposals() {
  const { data } = useRead('listWorkflowProposals', { query: {} });
  if (!data || data.proposals.length === 0) return null;
  return (
    <section aria-labelledby="workflow-proposals">
      <Title order={2} size="h4" id="workflow-proposals" mb="xs">
        {t('Proposed')}
      </Title>
      <ul className={surfaces.list} aria-label={t('Proposed workflows')}>
        {data.proposals.map((proposal) => (
          <li key={proposal.identifier} className={surfaces.item}>
            <div>
              <AnchorLink {...proposalAddress(proposal.identifier)} fw={600} dir="auto">
                {proposalTitle(proposal)}
              </AnchorLink>
              <Text size="sm" dir="auto">
                {proposal.goal}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                <Group gap={6}>
                  {proposal.baseVersion === null
                    ? t('New')
                    : t('Changes version {version}', { version: proposal.baseVersion })}{' '}
                  · <PersonBadge email={proposal.createdBy} /> · <RelativeTime at={proposal.createdAt} />
                </Group>
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
