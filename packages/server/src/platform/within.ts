/** The result of the work, unless it takes longer; the work itself goes on unobserved. @throws Error on timeout */
export async function withinMs<T>(work: Promise<T>, milliseconds: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
