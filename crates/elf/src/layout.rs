//! What is decided when all units are there: the bytes of each section, and the order of sections and of symbols.

use object::elf;

use crate::{
    joined::Joined,
    names::Names,
    reloc::{Reloc, Target},
    sections::{Body, OutSection},
    symbols::{Place, Spot, Symbols},
};

/// The symbols of the file and where they are.
pub(crate) struct Layout {
    /// Symbols in the order of the file, without the null symbol.
    pub symbols: Vec<OutSymbol>,
    /// How many of them are local.
    pub locals: u32,
    /// Where each entry of a pool is, by section.
    offsets: Vec<Vec<u64>>,
    places: Vec<Place>,
    section_symbols: Vec<u32>,
    local_symbols: Vec<u32>,
    place_symbols: Vec<u32>,
    global_symbols: Vec<u32>,
}

pub(crate) struct OutSymbol {
    pub name: Vec<u8>,
    pub kind: u8,
    pub binding: u8,
    pub other: u8,
    pub size: u64,
    pub value: u64,
    pub home: Home,
}

/// What a symbol is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Undefined,
    Absolute,
    Common,
    Section(u32),
}

/// Gives each section the bytes that it has in the file, and drops what says nothing.
pub(crate) fn settle(joined: &mut Joined) -> Vec<Vec<u64>> {
    let machine = joined.machine();
    let is_executable = joined.executable_stack;
    let mut offsets = Vec::with_capacity(joined.sections.all.len());
    for section in &mut joined.sections.all {
        let mut entries = Vec::new();
        let bytes = match &mut section.body {
            Body::Pool(pool) => {
                let (bytes, places) = pool.lay_out();
                entries = places;
                bytes
            }
            Body::Frames(frames) => {
                frames.finish();
                std::mem::take(&mut frames.bytes)
            }
            Body::Once(bytes) => std::mem::take(bytes),
            Body::StackNote => {
                if is_executable {
                    section.key.flags |= elf::SHF_EXECINSTR.0;
                }
                Vec::new()
            }
            Body::Properties => joined.properties.note(machine).unwrap_or_default(),
            Body::Bytes(_) | Body::Space(_) | Body::Group { .. } | Body::Nothing => {
                offsets.push(entries);
                continue;
            }
        };
        let is_silent = matches!(section.body, Body::Properties) && bytes.is_empty();
        section.body = if is_silent {
            Body::Nothing
        } else {
            Body::Bytes(bytes)
        };
        offsets.push(entries);
    }
    offsets
}

/// Groups that only the object itself has a name for are none: nothing else can have them, too.
pub(crate) fn dissolve_groups(sections: &mut [OutSection], symbols: &Symbols) {
    let is_dissolved: Vec<bool> = sections
        .iter()
        .map(|section| match section.body {
            Body::Group {
                signature: Target::Global(global),
                ..
            } => symbols.is_private(global),
            _ => false,
        })
        .collect();
    for (section, is_dissolved) in sections.iter_mut().zip(&is_dissolved) {
        if *is_dissolved {
            section.body = Body::Nothing;
        }
    }
    for section in sections {
        section.key.group = section
            .key
            .group
            .filter(|group| !is_dissolved[*group as usize]);
    }
}

/// What relocations and groups need symbols for.
struct Needed {
    sections: Vec<bool>,
    places: Vec<bool>,
}

impl Needed {
    fn new(sections: &[OutSection], places: &[Place]) -> Self {
        let mut needed = Self {
            sections: vec![false; sections.len()],
            places: vec![false; places.len()],
        };
        for section in sections {
            if let Body::Group { signature, .. } = section.body {
                needed.add(signature, places);
            }
            for reloc in &section.relocs {
                needed.add(reloc.target, places);
            }
        }
        needed
    }

    fn add(&mut self, target: Target, places: &[Place]) {
        match target {
            Target::Section(section) => self.sections[section as usize] = true,
            Target::Place(place) => self.sections[places[place as usize].section as usize] = true,
            Target::PlaceSymbol(place) => self.places[place as usize] = true,
            Target::Nothing | Target::Local(_) | Target::Global(_) => {}
        }
    }
}

impl Layout {
    /// Symbols of sections, locals by source file, private ones by first definition, places in pools, globals by first
    /// definition, undefined ones by name.
    pub fn new(
        sections: &[OutSection],
        symbols: &Symbols,
        names: &Names,
        offsets: Vec<Vec<u64>>,
    ) -> Self {
        let places: Vec<Place> = symbols.places.iter().copied().collect();
        let needed = Needed::new(sections, &places);
        let mut layout = Self {
            symbols: Vec::new(),
            locals: 0,
            offsets,
            section_symbols: vec![0; sections.len()],
            local_symbols: vec![0; symbols.locals.len()],
            place_symbols: vec![0; places.len()],
            global_symbols: vec![0; symbols.globals.len()],
            places,
        };
        let local = |name: &[u8], kind: elf::SymbolType, home| OutSymbol {
            name: name.to_vec(),
            kind: kind.0,
            binding: elf::STB_LOCAL.0,
            other: 0,
            size: 0,
            value: 0,
            home,
        };
        for number in (0..sections.len()).filter(|number| needed.sections[*number]) {
            let symbol = local(b"", elf::STT_SECTION, Home::Section(number as u32));
            layout.section_symbols[number] = layout.push(symbol);
        }
        for file in &symbols.files {
            if let Some(name) = file.name {
                layout.push(local(names.get(name), elf::STT_FILE, Home::Absolute));
            }
            for number in &file.locals {
                let known = &symbols.locals[*number as usize];
                let (home, value) = layout.home(known.spot);
                let symbol = OutSymbol {
                    other: known.other,
                    size: known.size,
                    value,
                    kind: known.kind,
                    ..local(names.get(known.name), elf::STT_NOTYPE, home)
                };
                layout.local_symbols[*number as usize] = layout.push(symbol);
            }
        }
        for number in symbols
            .defined
            .iter()
            .filter(|one| symbols.is_private(**one))
        {
            let known = &symbols.globals[*number as usize];
            let (home, value) = layout.home(known.spot);
            let symbol = OutSymbol {
                other: known.other & !elf::STV_MASK,
                size: known.size,
                value,
                kind: known.kind,
                ..local(names.get(known.name), elf::STT_NOTYPE, home)
            };
            layout.global_symbols[*number as usize] = layout.push(symbol);
        }
        layout.push_places(&needed, local);
        layout.locals = layout.symbols.len() as u32;
        let shown = symbols
            .defined
            .iter()
            .filter(|one| !symbols.is_private(**one));
        let mut undefined: Vec<u32> = (0..symbols.globals.len() as u32)
            .filter(|number| symbols.globals[*number as usize].spot == Spot::Undefined)
            .collect();
        undefined.sort_by_key(|number| names.get(symbols.globals[*number as usize].name));
        for number in shown.chain(&undefined) {
            let known = &symbols.globals[*number as usize];
            let (home, value) = layout.home(known.spot);
            let symbol = OutSymbol {
                name: names.get(known.name).to_vec(),
                kind: known.kind,
                binding: known.binding,
                other: known.other,
                size: known.size,
                value,
                home,
            };
            layout.global_symbols[*number as usize] = layout.push(symbol);
        }
        layout
    }

    /// Symbols for places in pools that relocations name, in the order of the places.
    fn push_places(
        &mut self,
        needed: &Needed,
        local: impl Fn(&[u8], elf::SymbolType, Home) -> OutSymbol,
    ) {
        let mut order: Vec<usize> = (0..self.places.len())
            .filter(|place| needed.places[*place])
            .collect();
        order.sort_by_key(|place| {
            let place = self.places[*place];
            (place.section, self.offset(place))
        });
        for (rank, number) in order.into_iter().enumerate() {
            let place = self.places[number];
            let mut symbol = local(
                format!(".Lm{rank}").as_bytes(),
                elf::STT_NOTYPE,
                Home::Section(place.section),
            );
            symbol.value = self.offset(place);
            self.place_symbols[number] = self.push(symbol);
        }
    }

    fn push(&mut self, symbol: OutSymbol) -> u32 {
        self.symbols.push(symbol);
        self.symbols.len() as u32
    }

    fn offset(&self, place: Place) -> u64 {
        self.offsets[place.section as usize][place.entry as usize].wrapping_add(place.inside)
    }

    fn home(&self, spot: Spot) -> (Home, u64) {
        match spot {
            Spot::Undefined => (Home::Undefined, 0),
            Spot::Absolute(value) => (Home::Absolute, value),
            Spot::Common(align) => (Home::Common, align),
            Spot::Section(section, value) => (Home::Section(section), value),
            Spot::Place(place) => {
                let place = self.places[place as usize];
                (Home::Section(place.section), self.offset(place))
            }
        }
    }

    /// The number of the symbol for a target.
    pub fn symbol(&self, target: Target) -> u32 {
        match target {
            Target::Nothing => 0,
            Target::Section(section) => self.section_symbols[section as usize],
            Target::Local(local) => self.local_symbols[local as usize],
            Target::Global(global) => self.global_symbols[global as usize],
            Target::PlaceSymbol(place) => self.place_symbols[place as usize],
            Target::Place(place) => {
                self.section_symbols[self.places[place as usize].section as usize]
            }
        }
    }

    /// What a relocation adds to its symbol in the file.
    pub fn addend(&self, reloc: &Reloc) -> i64 {
        match reloc.target {
            Target::Place(place) => reloc
                .addend
                .wrapping_add_unsigned(self.offset(self.places[place as usize])),
            _ => reloc.addend,
        }
    }
}
