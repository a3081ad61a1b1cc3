"""Writes an image: layers, configuration and manifest (https://github.com/opencontainers/image-spec), all with one time."""

import datetime
import gzip
import hashlib
import io
import json
import tarfile

OCI = "application/vnd.oci.image."
NAME = "switchback"


def timestamp(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def written(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def add(archive, path, seconds, content=None, mode=0o644, owner=0, target=None):
    """Adds a file; without content a link, and without a target a folder."""
    member = tarfile.TarInfo(path)
    member.mtime, member.mode, member.uid, member.gid = seconds, mode, owner, owner
    if content is not None:
        member.size = len(content)
    elif target is not None:
        member.type, member.linkname = tarfile.SYMTYPE, target
    else:
        member.type = tarfile.DIRTYPE
    archive.addfile(member, io.BytesIO(content) if content is not None else None)


class Image:
    def __init__(self, configuration, layers, architecture, seconds):
        self.seconds, self.blobs, self.unpacked = seconds, {}, 0
        packed, differences = [], []
        for layer in layers:
            plain = self.archive(layer)
            differences.append("sha256:" + hashlib.sha256(plain).hexdigest())
            packed.append(self.blob(gzip.compress(plain, 6, mtime=0), OCI + "layer.v1.tar+gzip"))
        platform = {"architecture": architecture, "os": "linux"}
        what = ["the libraries that the program names, certificates, time zones", "the program"]
        self.configuration = self.blob(written(platform | {
            "created": timestamp(seconds), "config": configuration,
            "rootfs": {"type": "layers", "diff_ids": differences},
            "history": [{"created": timestamp(seconds), "created_by": "Deploy/image/build", "comment": text}
                        for text in what],
        }), OCI + "config.v1+json")
        self.layers = packed
        self.manifest = self.blob(written({
            "schemaVersion": 2, "mediaType": OCI + "manifest.v1+json", "config": self.configuration, "layers": packed,
            "annotations": configuration["Labels"]}), OCI + "manifest.v1+json") | {"platform": platform}
        self.digest = self.manifest["digest"]

    def blob(self, content, kind):
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    def archive(self, layer):
        """A layer as a tar archive, in the order of the paths."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, entry in layer.items():
                content = None if entry.is_folder or entry.target else entry.read()
                self.unpacked += len(content or b"")
                add(archive, path, self.seconds, content, entry.mode, entry.owner, entry.target)
        return buffer.getvalue()

    def write(self, folder, archive, version):
        """Writes the layout, and one archive of it that is also what `docker load` of any version reads."""
        name = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"{NAME}:{version}"}
        index = {"schemaVersion": 2, "mediaType": OCI + "index.v1+json",
                 "manifests": [self.manifest | {"annotations": name}]}
        files = {f"blobs/sha256/{digest}": content for digest, content in self.blobs.items()}
        files |= {"oci-layout": written({"imageLayoutVersion": "1.0.0"}), "index.json": written(index)}
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        place = {one["digest"]: one["digest"].replace("sha256:", "blobs/sha256/") for one in
                 [self.configuration, *self.layers]}
        files["manifest.json"] = written([{
            "Config": place[self.configuration["digest"]], "RepoTags": [f"{NAME}:{version}"],
            "Layers": [place[one["digest"]] for one in self.layers]}])
        with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
            for path, content in sorted(files.items()):
                add(tar, path, self.seconds, content)
