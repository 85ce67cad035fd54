# Lanescope: `make run`, `make test`. Each installs what it needs on Debian and Ubuntu, then builds.

BUILD_PACKAGES  := g++ cmake make libclang-dev
WINDOW_PACKAGES := libgl1 libgl1-mesa-dri libegl1 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0
DRIVER_PACKAGES := libvulkan1 mesa-vulkan-drivers
TEST_PACKAGES   := vulkan-validationlayers xvfb xauth xdotool git neovim llvm-19
BENCH_PACKAGES  := spirv-cross glslang-tools
CLANG_VERSION   := 19
SANITIZE_PACKAGES := clang-$(CLANG_VERSION) libclang-rt-$(CLANG_VERSION)-dev llvm-$(CLANG_VERSION)

# Compilers of the tests. Their libraries are parts of Python packages for x86-64: fetched once a version, compared with
# the package's hash, and unpacked to $(TARGET_DIR)/NAME. The DirectX shader compiler is of version 1.8.0.4597, Slang of 2026.12.
DXC_WHEEL   := compushady-lrtu==0.18.0 --hash=sha256:b76371972f2543a1e83034a86c83cfad678dabf66be0b50b7d78edbcb1c98243
DXC_MEMBERS := compushady/backends/libdxcompiler_x86_64.so=libdxcompiler.so
SLANG_WHEEL   := slangpy==0.43.1 --hash=sha256:965dbbd1d907c90e17027945780146a67c66baf766f3d0b8af3f52ea2c4a8eb9
SLANG_MEMBERS := slangpy/libslang-glslang-2026.12.so=libslang-glslang-2026.12.so \
	slangpy/libslang-compiler.so.0.2026.12=libslang-compiler.so
# What unpacks them, where this machine has no pip.
PIP_PACKAGES = $(if $(shell python3 -m pip --version 2>/dev/null),,python3-pip)

CARGO_NEEDED := 1.95

# Where cargo builds; the variable is cargo's own.
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# Mesa 26 has no null device: its drm-shim, a package of the same version, stands in for AMD GPUs.
MESA_MAJOR := $(shell apt-cache policy mesa-vulkan-drivers 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*\)\..*/\1/p')
ifeq ($(shell [ "0$(MESA_MAJOR)" -ge 26 ] && echo yes),yes)
DRIVER_PACKAGES += mesa-drm-shim
endif

.PHONY: help run tui test vscode dxc slang pip-packages test-device soak sanitize lint bench manual build share install uninstall refresh deb tarball semver tools first-build run-packages tui-packages test-packages bench-packages sanitize-packages

help:
	@echo "make run     open the window on a sample (or print its report where there is no display)"
	@echo "make tui     the inspector in this terminal, built without the window: no display or GL libraries required"
	@echo "make test    make lint, then all tests; NO_DXC=1 and NO_SLANG=1 leave out those of compilers that are fetched"
	@echo "make test-device  run shaders on the first Vulkan device, or on LANESCOPE_DEVICE (a name or an index)"
	@echo "make soak    open, edit, run and close five hundred times (LANESCOPE_SOAK), and watch memory"
	@echo "make sanitize  the C++ libraries under AddressSanitizer and UndefinedBehaviorSanitizer: samples, then fuzz targets"
	@echo "make lint    formatting, clippy and documentation"
	@echo "make bench   benchmarks"
	@echo "make semver  the public API of the library's crates against that of BASE=main"
	@echo "make manual  the manual as HTML, in $(TARGET_DIR)/manual"
	@echo "make vscode  the extension of Visual Studio Code, in $(TARGET_DIR)/vscode; Node.js 20 and npm are required for it alone"
	@echo "make install PREFIX=/usr/local   the program, its manual pages, completions, icon and file types; FORM=tui leaves out the window, PROFILE=dist optimizes it as packages are"
	@echo "make uninstall PREFIX=/usr/local removes them"
	@echo "make deb     Debian packages with and without the window, in $(TARGET_DIR)/debian"
	@echo "make tarball the program and its files for other distributions, to unpack anywhere, in $(TARGET_DIR)"

# The window where there is a display, the text report where there is none.
run: tools run-packages first-build
	cargo build --release -p lanescope -p lanescope-intel
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(TARGET_DIR)/release/lanescope samples/lit_surface.vert samples/lit_surface.frag; \
	else \
		echo "There is no display: here is the report as text."; \
		$(TARGET_DIR)/release/lanescope inspect samples/lit_surface.vert samples/lit_surface.frag; \
	fi

# In the same target folder: glslang and SPIRV-Tools are those of `make run`.
tui: tools tui-packages first-build
	cargo build --release -p lanescope -p lanescope-intel --no-default-features --features lanescope/tui
	$(TARGET_DIR)/release/lanescope tui samples/lit_surface.vert samples/lit_surface.frag

# The packages have no libraries for other machines.
MACHINE := $(shell uname -m)
FOREIGN := $(if $(filter-out x86_64,$(MACHINE)),its library is for x86-64 (this machine is $(MACHINE)))
NO_DXC ?=
NO_SLANG ?=
NO_DXC   := $(or $(NO_DXC),$(if $(FOREIGN),1))
NO_SLANG := $(or $(NO_SLANG),$(if $(FOREIGN),1))
DXC   := $(TARGET_DIR)/dxc/libdxcompiler.so
SLANG := $(TARGET_DIR)/slang/libslang-compiler.so
NO_DXC_MEANS   = NO_DXC: HLSL through the DirectX shader compiler is not tested (app/tests/dxc.rs)$(if $(FOREIGN),: $(FOREIGN))
NO_SLANG_MEANS = NO_SLANG: Slang is not tested (app/tests/slang.rs)$(if $(FOREIGN),: $(FOREIGN))
test: tools test-packages lint $(if $(NO_DXC),,$(DXC)) $(if $(NO_SLANG),,$(SLANG))
	$(if $(NO_DXC),@echo "$(NO_DXC_MEANS)")
	$(if $(NO_SLANG),@echo "$(NO_SLANG_MEANS)")
	cargo build --release -p lanescope-intel
	XDG_RUNTIME_DIR="$${XDG_RUNTIME_DIR:-/tmp}" LANESCOPE_NO_DXC="$(NO_DXC)" LANESCOPE_NO_SLANG="$(NO_SLANG)" \
		cargo --config .cargo/unoptimized.toml test --release --workspace --no-fail-fast
	$(if $(NO_DXC),@echo "$(NO_DXC_MEANS)")
	$(if $(NO_SLANG),@echo "$(NO_SLANG_MEANS)")

# Unpacks members of a package: $(call unpacked,NAME,variable NO_…,package with its hash,members).
define unpacked
@[ -z "$(FOREIGN)" ] || { echo "$(1) cannot be fetched: $(FOREIGN)"; exit 1; }
@rm -rf $(@D)
@mkdir -p $(@D)
@echo "$(3)" > $(@D)/requirements.txt
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
	--python-version 3.11 --implementation cp --platform manylinux_2_28_x86_64 --platform manylinux_2_34_x86_64 \
	--dest $(@D) -r $(@D)/requirements.txt || \
	{ echo "$(1) cannot be fetched: make test $(2)=1 runs all tests but those that need it"; exit 1; }
mkdir $(@D)/part
python3 -c 'import shutil, sys, zipfile; wheel = zipfile.ZipFile(sys.argv[1]); \
	[shutil.copyfileobj(wheel.open(a), open(sys.argv[2] + "/" + b, "wb")) for a, b in (m.split("=") for m in sys.argv[3:])]' \
	$(@D)/*.whl $(@D)/part $(4)
@rm $(@D)/*.whl
@mv $(@D)/part/* $(@D)
@rmdir $(@D)/part
endef
# Another version is fetched anew.
fetched = $(shell [ -f $(1) ] && cat $(dir $(1))requirements.txt 2>/dev/null)
ifneq ($(call fetched,$(DXC)),$(DXC_WHEEL))
.PHONY: $(DXC)
$(DXC): | pip-packages
endif
ifneq ($(call fetched,$(SLANG)),$(SLANG_WHEEL))
.PHONY: $(SLANG)
$(SLANG): | pip-packages
endif
# One installation at a time.
pip-packages: $(if $(filter test,$(MAKECMDGOALS)),test-packages)
dxc: $(DXC)
slang: $(SLANG)
$(DXC):
	$(call unpacked,DXC,NO_DXC,$(DXC_WHEEL),$(DXC_MEMBERS))
$(SLANG):
	$(call unpacked,Slang,NO_SLANG,$(SLANG_WHEEL),$(SLANG_MEMBERS))

# Prints what ran, and what the device lacks.
test-device: tools test-packages
	XDG_RUNTIME_DIR="$${XDG_RUNTIME_DIR:-/tmp}" cargo test --release -p lanescope --test device --test graph_speed --test layout_times --features device-tests
	XDG_RUNTIME_DIR="$${XDG_RUNTIME_DIR:-/tmp}" LANESCOPE_DEVICE="$${LANESCOPE_DEVICE:-0}" cargo test --release --workspace --lib -- gpu::interpret gpu::workgraph::interpreted

# Opens, edits, compiles, runs and closes again and again; fails where memory, files or threads grow.
soak: tools test-packages
	cargo build --release
	XDG_RUNTIME_DIR="$${XDG_RUNTIME_DIR:-/tmp}" cargo test --release -p lanescope-window --features soak --lib soak -- --nocapture

# A folder of its own, $(TARGET_DIR)/sanitize, in which the C++ libraries build once more: a quarter of an hour on two cores.
SECONDS ?= 60
sanitize: tools sanitize-packages
	CLANG_VERSION=$(CLANG_VERSION) core/fuzz/sanitize.sh $(SECONDS)

# Formatting, clippy and the documentation: a warning is an error. The libraries are those of `make test`; clippy
# passes on flags of its own, and none of cargo's. With --examples dependencies have the features
# that tests give them, as for clippy, and are not checked once more.
lint: tools test-packages
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || rustup component add rustfmt clippy
	cargo fmt --check
	cargo clippy --config .cargo/unoptimized.toml --release --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo --config .cargo/unoptimized.toml doc --release --workspace --no-deps --lib --bins --examples

# The last one prints the ratios of all, in one table. Whole processes are those of the program that packages hold.
bench: export LANESCOPE_PROGRAM = $(abspath $(TARGET_DIR))/dist/lanescope
bench: tools bench-packages
	cargo bench --workspace --bench passes --bench read --bench dxil --bench databases --bench interpret --bench lanes --bench frame --bench scaling
	$(MAKE) build PROFILE=dist
	cargo bench --workspace --bench corpus
	cargo bench --workspace --bench table

# The revision whose public API the present one is compared with. CHANGE=major allows breaking changes.
BASE   ?= main
CHANGE ?= minor
# Without a version: each version reads the JSON of a few versions of rustdoc only.
semver: tools
	@command -v cargo-semver-checks >/dev/null || [ -x $(TARGET_DIR)/cargo-semver-checks/bin/cargo-semver-checks ] || \
		cargo install cargo-semver-checks --locked --root $(TARGET_DIR)/cargo-semver-checks
	PATH="$(abspath $(TARGET_DIR))/cargo-semver-checks/bin:$$PATH" .github/semver.sh $(BASE) $(CHANGE)

# Needs no other package: mdBook is built by cargo, for this target only.
manual: tools
	@command -v mdbook >/dev/null || [ -x $(TARGET_DIR)/mdbook/bin/mdbook ] || \
		cargo install mdbook --version '^0.5' --locked --no-default-features --features search --root $(TARGET_DIR)/mdbook
	PATH="$(abspath $(TARGET_DIR))/mdbook/bin:$$PATH" mdbook build assets --dest-dir $(abspath $(TARGET_DIR))/manual
	@echo "The manual is $(TARGET_DIR)/manual/index.html"

# Needs nothing that is built by cargo. Packages of npm are those of the lock file; after `npm ci` nothing is fetched.
NODE_NEEDED := 20
vscode: EXTENSION := assets/packaging/vscode
vscode:
	@command -v npm >/dev/null && command -v node >/dev/null || { echo "npm is missing: install Node.js $(NODE_NEEDED) or newer with npm (only make vscode needs it)"; exit 1; }
	@have=$$(node --version | sed 's/^v//; s/\..*//'); [ "$$have" -ge $(NODE_NEEDED) ] || { echo "Node.js $$have is too old: $(NODE_NEEDED) or newer is needed"; exit 1; }
	mkdir -p $(TARGET_DIR)/vscode
	cp LICENSE $(EXTENSION)/LICENSE
	cp assets/icon/lanescope-128.png $(EXTENSION)/icon.png
	cd $(EXTENSION) && npm ci --no-audit --no-fund && npm run --silent check && npm test --silent && npm run --silent bundle
	cd $(EXTENSION) && npm run --silent package -- --out $(abspath $(TARGET_DIR))/vscode/lanescope.vsix
	@ls -l $(TARGET_DIR)/vscode/lanescope.vsix

# What is installed: the whole program, or without the window (FORM=tui); in the profile that `make run` builds, or in
# that of packages (PROFILE=dist).
PREFIX  ?= /usr/local
FORM    ?= window
PROFILE ?= release
PROGRAM := $(TARGET_DIR)/$(PROFILE)/lanescope
DESTDIR ?=
INSTALLED := $(DESTDIR)$(PREFIX)
SHARE     := $(TARGET_DIR)/share
ICONS     := 16 24 32 48 64 128 256
FORM_FLAGS := $(if $(filter tui,$(FORM)),--no-default-features --features lanescope/tui)

build: tools $(if $(filter tui,$(FORM)),tui-packages,run-packages) first-build
	cargo build --profile $(PROFILE) -p lanescope -p lanescope-intel $(FORM_FLAGS)

# Pages and completions are written by the program itself.
share: build
	rm -rf $(SHARE)
	mkdir -p $(SHARE)/man1 $(SHARE)/completions $(SHARE)/schemas
	$(PROGRAM) man -o $(SHARE)/man1
	$(PROGRAM) completions bash > $(SHARE)/completions/lanescope
	$(PROGRAM) completions zsh > $(SHARE)/completions/_lanescope
	$(PROGRAM) completions fish > $(SHARE)/completions/lanescope.fish
	for form in report run script-run graph-run diff variants corpus guess-corpus guess-search guess-variants guess-timeline sodb code-object code-object-diff code-object-predicted link-desc cost graph-cost interface-cost findings watch features capabilities doctor; do \
		$(PROGRAM) schema $$form > $(SHARE)/schemas/$$form.schema.json || exit 1; \
	done
	gzip -9n $(SHARE)/man1/*.1

# Building and installing may be two users: `make share`, then `sudo make install`, which builds nothing.
install:
	@[ -d $(SHARE)/man1 ] && [ -x $(PROGRAM) ] && [ -f $(dir $(PROGRAM))liblanescope_intel.so ] || $(MAKE) share
	install -Dsm755 $(PROGRAM) $(INSTALLED)/bin/lanescope
	install -Dsm644 -t $(INSTALLED)/lib/lanescope $(dir $(PROGRAM))liblanescope_intel.so
	install -Dm644 -t $(INSTALLED)/share/man/man1 $(SHARE)/man1/*.1.gz
	install -Dm644 -t $(INSTALLED)/share/bash-completion/completions $(SHARE)/completions/lanescope
	install -Dm644 -t $(INSTALLED)/share/zsh/site-functions $(SHARE)/completions/_lanescope
	install -Dm644 -t $(INSTALLED)/share/fish/vendor_completions.d $(SHARE)/completions/lanescope.fish
	install -Dm644 -t $(INSTALLED)/share/mime/packages assets/packaging/lanescope-mime.xml
	install -Dm644 -t $(INSTALLED)/share/doc/lanescope README.md LICENSE
	mkdir -p $(INSTALLED)/share/lanescope
	cp -R samples $(SHARE)/schemas assets/manual $(INSTALLED)/share/lanescope/
ifneq ($(FORM),tui)
	install -Dm644 -t $(INSTALLED)/share/applications assets/packaging/lanescope.desktop
	install -Dm644 -t $(INSTALLED)/share/icons/hicolor/scalable/apps assets/icon/lanescope.svg
	for side in $(ICONS); do \
		install -Dm644 assets/icon/lanescope-$$side.png $(INSTALLED)/share/icons/hicolor/$${side}x$$side/apps/lanescope.png; \
	done
endif
	@$(MAKE) --no-print-directory refresh

uninstall:
	rm -f $(INSTALLED)/bin/lanescope $(INSTALLED)/share/man/man1/lanescope.1.gz $(INSTALLED)/share/man/man1/lanescope-*.1.gz
	rm -f $(INSTALLED)/share/bash-completion/completions/lanescope $(INSTALLED)/share/zsh/site-functions/_lanescope
	rm -f $(INSTALLED)/share/fish/vendor_completions.d/lanescope.fish
	rm -f $(INSTALLED)/share/mime/packages/lanescope-mime.xml $(INSTALLED)/share/applications/lanescope.desktop
	rm -f $(INSTALLED)/share/icons/hicolor/scalable/apps/lanescope.svg $(INSTALLED)/share/icons/hicolor/*/apps/lanescope.png
	rm -rf $(INSTALLED)/share/lanescope $(INSTALLED)/share/doc/lanescope $(INSTALLED)/lib/lanescope
	@$(MAKE) --no-print-directory refresh

# The desktop's databases; a package's own scripts do this after a staged install.
refresh:
	@[ -z "$(DESTDIR)" ] || exit 0; \
	command -v update-mime-database >/dev/null && [ -d $(INSTALLED)/share/mime ] && update-mime-database $(INSTALLED)/share/mime; \
	command -v update-desktop-database >/dev/null && [ -d $(INSTALLED)/share/applications ] && update-desktop-database -q $(INSTALLED)/share/applications; \
	command -v gtk-update-icon-cache >/dev/null && [ -d $(INSTALLED)/share/icons/hicolor ] && gtk-update-icon-cache -qtf $(INSTALLED)/share/icons/hicolor; \
	true

# It runs where glibc and libstdc++ are as new as on the machine that builds it: there and on newer distributions.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
tarball:
	$(MAKE) share PROFILE=dist
	rm -rf $(TARGET_DIR)/tarball
	$(MAKE) install PROFILE=dist DESTDIR=$(abspath $(TARGET_DIR))/tarball PREFIX=/lanescope-$(VERSION)
	tar -C $(TARGET_DIR)/tarball -cJf $(TARGET_DIR)/lanescope-$(VERSION)-$(shell uname -m)-linux.tar.xz lanescope-$(VERSION)
	rm -rf $(TARGET_DIR)/tarball
	@ls -l $(TARGET_DIR)/*.tar.xz

# Two packages: with the window, and for machines without X libraries.
deb: tools run-packages
	@command -v cargo-deb >/dev/null || [ -x $(TARGET_DIR)/cargo-deb/bin/cargo-deb ] || \
		cargo install cargo-deb --version '^3' --locked --root $(TARGET_DIR)/cargo-deb
	$(MAKE) share PROFILE=dist FORM=tui
	PATH="$(abspath $(TARGET_DIR))/cargo-deb/bin:$$PATH" cargo deb -p lanescope --profile dist --no-build --variant tui
	$(MAKE) share PROFILE=dist FORM=window
	PATH="$(abspath $(TARGET_DIR))/cargo-deb/bin:$$PATH" cargo deb -p lanescope --profile dist --no-build
	@ls -l $(TARGET_DIR)/debian/*.deb

# On a terminal, cargo shows how many crates are done, and the ones that are being built.
first-build:
	@[ -x $(PROGRAM) ] || echo "First build: about 400 crates, and the C++ libraries glslang, SPIRV-Tools and dxil-spirv (the crates whose names end with -sys). It takes about 15 minutes on two cores."

tools:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust $(CARGO_NEEDED) or newer (https://rustup.rs)"; exit 1; }
	@have=$$(cargo --version | cut -d' ' -f2); \
	first=$$(printf '%s\n%s\n' "$(CARGO_NEEDED)" "$$have" | sort -V | head -n 1); \
	[ "$$first" = "$(CARGO_NEEDED)" ] || { echo "cargo $$have is too old: $(CARGO_NEEDED) or newer is needed"; exit 1; }
	@command -v cc >/dev/null || { echo "A C compiler is missing: install one (Debian and Ubuntu: apt-get install gcc)"; exit 1; }

run-packages:  PACKAGES := $(BUILD_PACKAGES) $(WINDOW_PACKAGES) $(DRIVER_PACKAGES)
tui-packages:  PACKAGES := $(BUILD_PACKAGES) $(DRIVER_PACKAGES)
test-packages: PACKAGES := $(BUILD_PACKAGES) $(WINDOW_PACKAGES) $(DRIVER_PACKAGES) $(TEST_PACKAGES)
bench-packages: PACKAGES := $(BUILD_PACKAGES) $(WINDOW_PACKAGES) $(DRIVER_PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES)
sanitize-packages: PACKAGES := $(BUILD_PACKAGES) $(SANITIZE_PACKAGES)
pip-packages: PACKAGES = $(PIP_PACKAGES)

# Installs what is missing, and asks for nothing when nothing is.
run-packages tui-packages test-packages bench-packages sanitize-packages pip-packages:
	@command -v dpkg-query >/dev/null || { echo "No Debian or Ubuntu: make sure these are there: $(PACKAGES)"; exit 0; }; \
	missing=""; \
	for package in $(PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	echo "Installing:$$missing"; \
	root=""; [ "$$(id -u)" = 0 ] || root="sudo"; \
	$$root apt-get update -q && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing
