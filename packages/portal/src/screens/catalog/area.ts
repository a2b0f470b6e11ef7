import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/catalog/$page', title: 'Catalog', load: () => import('./page.screen.tsx') },
    { path: '/new/$blueprint', title: 'New entity', load: () => import('./new-entity.screen.tsx') },
    { path: '/e/$blueprint/$entity', title: 'Entity', load: () => import('./entity.screen.tsx') },
    { path: '/e/$blueprint/$entity/$tab', title: 'Entity', load: () => import('./entity.screen.tsx') },
  ],
});
