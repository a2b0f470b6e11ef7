import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from '../../frame/links.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { type Pack, summarizePack } from './pack-things.ts';

/** A starter model: what it brings, what can fill it, and whether it is installed. */
export function PackCard({ pack, onPreview }: { pack: Pack; onPreview: () => void }) {
  const { id, title, summary, icon, fedBy, blueprints, installed } = pack;
  return (
    <article className={surfaces.block} aria-labelledby={`pack-${id}`}>
      <Stack gap="xs" h="100%">
        <Group gap="xs">
          <EntityIcon name={icon} />
          <Title order={2} size="h4" id={`pack-${id}`}>
            {title}
          </Title>
          {installed && <ColourBadge colour="green">{t('Installed')}</ColourBadge>}
        </Group>
        <Text size="sm">{summary}</Text>
        <Text size="sm" c="dimmed">
          {summarizePack(pack)}: {blueprints.map((each) => each.title).join(', ')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('Filled by {fedBy}', { fedBy: fedBy.join(', ') })}
        </Text>
        <Group mt="auto">
          <NeedsOperation
            operation={installed ? 'removePack' : 'installPack'}
            to={
              installed
                ? t('remove the starter model {title}', { title })
                : t('install the starter model {title}', { title })
            }
          >
            <Button
              size="xs"
              variant={installed ? 'default' : 'filled'}
              onClick={onPreview}
              aria-label={installed ? t('Remove {title}', { title }) : t('Preview {title}', { title })}
            >
              {installed ? t('Remove') : t('Preview')}
            </Button>
          </NeedsOperation>
          {installed && (
            <ButtonLink to="/builder/sources/add" size="xs" aria-label={t('Bring in data for {title}', { title })}>
              {t('Bring in data')}
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </article>
  );
}
