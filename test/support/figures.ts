/** The data of a text: amounts with units, dates, quoted titles and commands, in order. Its words are in the transcripts. */
const DATUM =
  /"[^"]*"|(?!From |To |Ends )[A-Z][a-z]+ (?!Nov)[A-Z][a-z]+|\/[a-z]+(?: [\w:.]+)*|(?<![\p{L}\d…])[−+#]?\$?\d[\d,.]*\d?(?:[KMBx%]|:\d\d UTC)?(?!\p{L})(?:(?<=\d) (?:pts|mo|yr|months?|h|d|min|traders?|trades?|[A-Z]{3,5})\b)?|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+(?:, \d\d:\d\d UTC)?/gu;

export const figuresIn = (text: string): readonly string[] => [...text.matchAll(DATUM)].map(([datum]) => datum.replace(/[.,]$/u, ''));
