import { Gallery } from "@/components/gallery/gallery";

/** Every kind of row and tool in the available sessions. The gate allows this page in development and tests only. */
export default function GalleryPage() {
  return <Gallery />;
}
