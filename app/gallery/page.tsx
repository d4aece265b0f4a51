import { Gallery } from "@/components/gallery/gallery";

/** Every kind of row and tool of the sessions at hand. The gate lets it pass in development and tests alone. */
export default function GalleryPage() {
  return <Gallery />;
}
