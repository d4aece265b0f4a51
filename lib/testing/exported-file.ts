/**
 * An exported HTML file taken apart: `shown` is what is read where no scripts run, `data` what its page is drawn from, by the
 * elements' attributes. An element that holds markup is none of the data, and stays in `shown`.
 */
export function exportedParts(html: string): { shown: string; data: Map<string, unknown> } {
  const data = new Map<string, unknown>();
  const element = /<script type="application\/json" ([^<>]*)>([^<]*)<\/script>\n/g;
  const shown = html.replace(element, (_, attributes: string, json: string) => {
    data.set(data.has(attributes) ? `${attributes} ${data.size}` : attributes, JSON.parse(json));
    return "";
  });
  return { shown, data };
}
