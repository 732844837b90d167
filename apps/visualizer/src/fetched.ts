/** The JSON of a file that was made with the page. @throws Error in the server's words where it is not there. */
export async function fetched<Content>(file: URL): Promise<Content> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}
