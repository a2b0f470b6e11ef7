import { SimpleGrid } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PackCard } from './pack-card.tsx';
import { InstallPreview, RemovalPreview } from './pack-preview.tsx';

/** The starter models as cards; `shown` names the one whose preview is open. */
export function PackList({ shown, onShow }: { shown: string | undefined; onShow: (id: string | undefined) => void }) {
  const packs = useRead('listPacks');
  const pack = packs.data?.packs.find(({ id }) => id === shown);
  const Preview = pack?.installed ? RemovalPreview : InstallPreview;
  return (
    <>
      <Reading of={packs}>
        {({ packs: list }) =>
          list.length === 0 ? (
            <EmptyState title={t('There is no starter model')}>{t('This server was started without any.')}</EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
              {list.map((each) => (
                <PackCard key={each.id} pack={each} onPreview={() => onShow(each.id)} />
              ))}
            </SimpleGrid>
          )
        }
      </Reading>
      {pack && <Preview key={pack.id} pack={pack} onClose={() => onShow(undefined)} />}
    </>
  );
}
