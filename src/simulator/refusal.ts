/** The service says no, with a status. Its error bodies are not specified by the interface; these carry a sentence. */
export class ServiceRefusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 413,
    message: string,
  ) {
    super(message);
  }
}
