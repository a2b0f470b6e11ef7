export { campaignRoutes } from './campaigns.routes.ts';
export { campaignTools } from './campaigns.tools.ts';
export { noteProgressJob } from './note-progress.ts';
