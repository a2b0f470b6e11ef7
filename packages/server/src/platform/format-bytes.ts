const gib = 1024 ** 3;

/** `512 MB`, `3.4 GB` */
export function formatBytes(bytes: number): string {
  return bytes < gib ? `${Math.round(bytes / 1024 ** 2)} MB` : `${(bytes / gib).toFixed(1)} GB`;
}
